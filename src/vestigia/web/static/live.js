// Follows a run: each entry it writes is heard of, and the parts of the page marked `data-live` are fetched anew.
// One stream for the page, none while nobody looks. Without this the page has a link that reads it again.
const parts = (page) => [...page.querySelectorAll("[data-live]")];
let stream = null;
let due = 0;

// A part in which somebody writes, or has written what is not sent, stays as it is.
const written = (one) => one.value !== one.defaultValue || one.checked !== one.defaultChecked;
const busy = (part) =>
  [...part.querySelectorAll("input, textarea")].some(written) ||
  (part.contains(document.activeElement) && document.activeElement.matches("input, textarea, select"));

function put(fresh, part) {
  const open = new Set([...part.querySelectorAll("details[data-keep][open]")].map((one) => one.dataset.keep));
  for (const one of fresh.querySelectorAll("details[data-keep]")) one.open ||= open.has(one.dataset.keep);
  const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
  part.replaceWith(fresh);
  if (focused) document.getElementById(focused)?.focus();
}

async function renew() {
  due = 0;
  const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = new Map(parts(page).map((part) => [part.id, document.adoptNode(part)]));
  let before = null;
  for (const part of parts(document)) if (!fresh.has(part.id) && !busy(part)) part.remove();
  for (const [id, part] of fresh) {
    const here = document.getElementById(id);
    if (!here) before?.after(part);
    else if (!busy(here) && !part.isEqualNode(here)) put(part, here);
    before = document.getElementById(id);
  }
}

function soon() {
  due ||= setTimeout(renew, 400);
}

function open() {
  const region = document.querySelector("[data-stream]");
  if (stream || !region || document.hidden) return;
  stream = new EventSource(`${region.dataset.stream}?after=${region.dataset.after}`);
  stream.addEventListener("message", soon);
  stream.addEventListener("end", () => {
    close();
    clearTimeout(due);
    renew();
  });
}

function close() {
  stream?.close();
  stream = null;
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return close();
  if (document.querySelector("[data-stream]")) soon();
  open();
});
addEventListener("pagehide", close);
addEventListener("pageshow", open);
open();
