// Brushing: drag over the bars of a date histogram to fill the fields `from` and `to`, then search.
// Without this the fields do the same.
for (const brush of document.querySelectorAll('.brush')) {
  const drawing = brush.querySelector('.drawing');
  const svg = drawing?.querySelector('svg');
  const plot = svg?.querySelector('path.background');
  const form = document.getElementById('search');
  if (!plot || !form) continue;
  const starts = brush.dataset.starts.split(' ');
  const ends = brush.dataset.ends.split(' ');
  const veil = document.createElement('div');
  veil.className = 'veil';
  veil.hidden = true;
  drawing.append(veil);
  drawing.classList.add('brushed');
  let begin = null;

  const slot = (event) => {
    const box = plot.getBoundingClientRect();
    const at = Math.floor(((event.clientX - box.left) / box.width) * starts.length);
    return Math.max(0, Math.min(starts.length - 1, at));
  };
  const show = (one, other) => {
    const box = plot.getBoundingClientRect();
    const frame = drawing.getBoundingClientRect();
    const wide = box.width / starts.length;
    const [first, last] = one < other ? [one, other] : [other, one];
    veil.style.left = `${box.left - frame.left + drawing.scrollLeft + first * wide}px`;
    veil.style.width = `${(last - first + 1) * wide}px`;
    veil.hidden = false;
    form.elements.from.value = String(starts[first]).padStart(4, '0');
    form.elements.to.value = String(ends[last]).padStart(4, '0');
  };
  drawing.addEventListener('pointerdown', (event) => {
    if (event.button) return;
    begin = slot(event);
    drawing.setPointerCapture(event.pointerId);
    show(begin, begin);
  });
  drawing.addEventListener('pointermove', (event) => {
    if (begin !== null) show(begin, slot(event));
  });
  drawing.addEventListener('pointerup', () => {
    if (begin === null) return;
    begin = null;
    form.requestSubmit();
  });
  drawing.addEventListener('pointercancel', () => {
    begin = null;
    veil.hidden = true;
  });
}
