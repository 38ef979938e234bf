// Follows a run: each entry it writes is heard of, and the parts of the page marked `data-live` are fetched anew.
// One stream for the page, none while nobody looks. Without this the page has a link that reads it again.
const follow = () => document.querySelector("[data-stream]");
let stream = null;
let due = 0;

async function renew() {
  due = 0;
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const focused = document.activeElement?.id;
  for (const part of document.querySelectorAll("[data-live]")) {
    const other = fresh.getElementById(part.id);
    if (other && !other.isEqualNode(part)) part.replaceWith(document.adoptNode(other));
  }
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
}

function soon() {
  due ||= setTimeout(renew, 400);
}

function open() {
  const region = follow();
  if (stream || !region || document.hidden) return;
  stream = new EventSource(`${region.dataset.stream}?after=${region.dataset.after}`);
  stream.addEventListener("message", soon);
  stream.addEventListener("end", () => {
    close();
    renew();
  });
}

function close() {
  stream?.close();
  stream = null;
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return close();
  if (follow()) soon();
  open();
});
addEventListener("pagehide", close);
addEventListener("pageshow", open);
open();
