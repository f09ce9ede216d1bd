const STEPS: Readonly<Record<string, (place: number, count: number) => number>> = {
  ArrowDown: (place, count) => Math.min(place + 1, count - 1),
  ArrowUp: (place) => Math.max(place - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** A keydown handler for a list: the arrow keys, Home and End go from one main link (`a.main`) to the next. */
export function moveAmongRows(event: KeyboardEvent): void {
  const step = STEPS[event.key];
  const list = event.currentTarget;
  if (!step || !(list instanceof Element) || event.altKey || event.ctrlKey || event.metaKey) return;
  const links = [...list.querySelectorAll<HTMLElement>('a.main')];
  const place = links.findIndex((link) => link === document.activeElement);
  if (place < 0) return;
  event.preventDefault();
  links[step(place, links.length)]?.focus();
}
