// Says how far an import is, and shows its page anew when it stands. Without this there is a link that reads it again.
const line = document.querySelector("[data-moving]");

async function look() {
  const answer = await fetch(line.dataset.moving);
  if (!answer.ok) return;
  const told = await answer.json();
  if (!told.moving) return location.reload();
  const { what, done, of } = told.progress;
  const said = line.querySelector("[data-what]");
  if (said) said.textContent = of ? `${what} ${done} / ${of}` : what;
  setTimeout(look, 1000);
}

if (line) setTimeout(look, 700);
