// Keys at the desk of a judge: a digit chooses a score (1 then 0 is 10), Enter keeps it, j and k turn the page.
let typed = '';

document.addEventListener('keydown', (event) => {
  const form = document.querySelector('form.judgement');
  const text = event.target.closest?.('textarea, input:not([type=radio], [type=hidden])');
  if (!form || event.metaKey || event.altKey) return;
  if (event.key === 'Enter' && (event.ctrlKey || !event.target.closest?.('textarea, button, a, summary'))) {
    event.preventDefault();
    form.requestSubmit();
    return;
  }
  if (event.key === 'Escape' && text) text.blur();
  if (text || event.ctrlKey) return;
  if (/^\d$/.test(event.key)) {
    typed = document.getElementById(`s-${typed}${event.key}`) ? typed + event.key : event.key;
    const score = document.getElementById(`s-${typed}`);
    if (score) {
      score.checked = true;
      score.focus();
    }
  } else if (event.key === 'n') {
    event.preventDefault();
    document.getElementById('f-argument')?.focus();
  } else if (event.key === 'j' || event.key === 'k') document.getElementById(event.key)?.click();
});
