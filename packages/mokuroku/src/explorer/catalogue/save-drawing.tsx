import { isSample } from '../shell/page-facts.ts';
import { saveText, useOwnForm } from '../shell/own-forms.ts';
import { useCatalogue } from './words.ts';

/** Has the drawing in the menu of forms, as it looks, with its title and the source of the data. `name`: of the file. */
export function SaveDrawing({ name, title }: { name: string; title: string }) {
  const { picture, credit, creditName } = useCatalogue().words;
  const source = isSample() ? picture.invented : `${credit} ${creditName}`;
  useOwnForm(picture.save, () => {
    const area = document.querySelector<HTMLElement>('.drawing');
    if (area) saveText(standalone(area, title, `${source} – mokuroku`), `${name}.svg`, 'image/svg+xml');
  });
  return null;
}

const SVG = 'http://www.w3.org/2000/svg';
const MARGIN = 24;
const LINE = 40;
/** What the styles of the page give a drawing. */
const LOOKS = `fill stroke stroke-width stroke-opacity stroke-dasharray stroke-linecap stroke-linejoin opacity
  font-family font-size font-weight text-anchor`.split(/\s+/);

function create(name: string, attributes: Readonly<Record<string, string | number>>): Element {
  const element = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value));
  return element;
}

/** Browsers compute mixed colours as `color(srgb 0.5 0.5 0.5 / 0.5)`, which other programs cannot read. */
const plainColour = (value: string): string =>
  value.replace(/color\(srgb ([^)]*)\)/, (_, numbers: string) => {
    const [red = 0, green = 0, blue = 0, alpha = 1] = numbers.split(/[ /]+/).map(Number);
    return `rgba(${[red, green, blue].map((part) => Math.round(part * 255)).join()},${alpha})`;
  });

/** A copy of an element and its parts, with their present look as attributes. */
function copyLook(element: Element, copy: Element): void {
  const style = getComputedStyle(element);
  for (const look of LOOKS) copy.setAttribute(look, plainColour(style.getPropertyValue(look)));
  [...element.children].forEach((child, index) => copyLook(child, copy.children[index] as Element));
}

/** A line of text as wide and high as an element, with its font and colour. */
function textLike(
  element: Element,
  text: string,
  box: { x: number; y: number; width: number; height: number },
) {
  const { color, fontFamily, fontSize, fontWeight } = getComputedStyle(element);
  // The inner document cuts what is wider.
  const frame = create('svg', box);
  const font = { 'font-family': fontFamily, 'font-size': fontSize, 'font-weight': fontWeight };
  const line = create('text', { ...font, y: box.height / 2 + parseFloat(fontSize) * 0.35, fill: color });
  line.textContent = text;
  frame.append(line);
  return frame;
}

/** The drawing in an element and the names beside it, as a document of its own. */
function standalone(area: HTMLElement, title: string, credit: string): string {
  const outer = area.getBoundingClientRect();
  const [width, height] = [outer.width + 2 * MARGIN, outer.height + 2 * LINE];
  const picture = create('svg', { width, height, viewBox: `0 0 ${width} ${height}` });
  const fill = getComputedStyle(document.body).backgroundColor;
  picture.append(create('rect', { width, height, fill }));
  const line = { x: MARGIN, width: outer.width, height: LINE };
  picture.append(textLike(document.body, title, { ...line, y: 0 }));
  for (const element of area.querySelectorAll('svg, b, .main')) {
    const { x, y, width, height } = element.getBoundingClientRect();
    const box = { x: x - outer.x + MARGIN, y: y - outer.y + LINE, width, height };
    if (element instanceof SVGElement) {
      const copy = element.cloneNode(true) as Element;
      copyLook(element, copy);
      for (const [name, value] of Object.entries(box)) copy.setAttribute(name, String(value));
      picture.append(copy);
    } else if (width > 0) {
      picture.append(textLike(element, element.textContent, box));
    }
  }
  picture.append(textLike(document.body, credit, { ...line, y: height - LINE }));
  return new XMLSerializer().serializeToString(picture);
}
