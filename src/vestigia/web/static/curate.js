// Keys for the reader: each presses the button or follows the link that carries its letter. Without this, one clicks.
// An answer of the site takes the place of what is shown, so that a decision costs no whole page.
let rejecting = false;
let waiting = false;

const main = () => document.getElementById('main');
const typing = (target) => target.closest?.('input:not([type=checkbox]), textarea, select, [contenteditable]');

const show = async (request) => {
  if (waiting) return;
  waiting = true;
  main().setAttribute('aria-busy', 'true');
  try {
    const response = await request;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    main().replaceChildren(...page.getElementById('main').childNodes);
    document.title = page.title;
    history.replaceState(null, '', response.url.replace(/#.*$/, ''));
    const reader = document.getElementById('reader');
    reader?.focus({ preventScroll: true });
    if (reader?.getBoundingClientRect().top < 0) reader.scrollIntoView();
    const row = document.querySelector('.rows [aria-current]');
    if (row) row.parentElement.scrollTop = row.offsetTop - row.parentElement.offsetTop - row.parentElement.clientHeight / 3;
  } finally {
    waiting = false;
    rejecting = false;
    main().removeAttribute('aria-busy');
  }
};

const send = (form, button) => {
  const fields = new FormData(form, button);
  const body = form.enctype === 'multipart/form-data' ? fields : new URLSearchParams(fields);
  show(fetch(form.action, { method: 'POST', body })).catch(() => form.requestSubmit(button));
};

const press = (id) => {
  const found = document.getElementById(id);
  if (!found) return;
  if (found.tagName === 'A') show(fetch(found.href)).catch(() => found.click());
  else send(found.form, found);
};

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (form.method !== 'post' || !main().contains(form) || event.submitter === null) return;
  event.preventDefault();
  send(form, event.submitter);
});

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    rejecting = false;
    document.getElementById('reader')?.focus();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (rejecting) {
    rejecting = false;
    const chosen = document.querySelector(`#r [data-key="${CSS.escape(event.key)}"]`);
    if (chosen) {
      event.preventDefault();
      send(chosen.form, chosen);
      return;
    }
  }
  if (['a', 'f', 'u', 'j', 'k'].includes(event.key)) press(event.key);
  else if (event.key === 'r') {
    rejecting = true;
    document.querySelector('#r button')?.focus();
  } else if (event.key === 'n') document.getElementById('f-note')?.focus();
  else if (event.key === 't') document.getElementById('f-tag')?.focus();
  else return;
  event.preventDefault();
});
