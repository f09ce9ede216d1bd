import { saveFile } from '../shell/save-file.ts';

/** A drawn element, in pixels of the picture. */
export type Mark =
  | { path: string; stroke?: string; width?: number; fill?: string; opacity?: number }
  | {
      text: string;
      x: number;
      /** Position of the base line. */
      y: number;
      size: number;
      fill?: string;
      isBold?: boolean;
      anchor?: 'start' | 'middle' | 'end';
      /** Maximum width in pixels; a longer text is truncated. */
      maxWidth?: number;
    };
type TextMark = Extract<Mark, { text: string }>;

/** A shareable picture: always on a light background, whatever the theme of the page. */
export interface Picture {
  width: number;
  height: number;
  marks: Mark[];
}

export const PAPER = { ground: '#faf8f3', ink: '#1d1b18', soft: '#5d574e', rule: '#e0d9cb', seal: '#b03a24' };
/** Colours of the big genres, by code; others have a soft one. */
const TINTS: Readonly<Record<number, string>> = { 1: '#b5557c', 2: '#4d77a8', 3: '#8a6d2f', 4: '#3c8577' };
export const tintOf = (big: number | undefined): string => TINTS[big ?? 0] ?? PAPER.soft;

const FAMILY = "'Hiragino Sans', 'Noto Sans JP', 'Noto Sans CJK JP', 'Yu Gothic UI', Meiryo, sans-serif";
const fontOf = ({ size, isBold }: TextMark) => `${isBold ? '600 ' : ''}${size}px ${FAMILY}`;

/** Characters that XML forbids or that are invisible: control characters, direction marks, lone surrogates. */
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufffe\uffff]|\p{Surrogate}/gu;

/** Returns the width of a text in a font, in pixels. */
export type Measure = (text: string, font: string) => number;

/** The text to draw: without invisible characters, truncated to its width. */
export function fitted(mark: TextMark, measure: Measure): string {
  const text = mark.text.slice(0, 300).replace(UNSEEN, '');
  const { maxWidth = Number.POSITIVE_INFINITY } = mark;
  const font = fontOf(mark);
  if (measure(text, font) <= maxWidth) return text;
  const characters = Array.from(text);
  while (characters.length > 0 && measure(`${characters.join('')}…`, font) > maxWidth) characters.pop();
  return `${characters.join('')}…`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeSvg = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

/** A standalone document that uses the viewer's fonts. */
export function toSvg({ width, height, marks }: Picture, measure: Measure): string {
  const drawn = marks.map((mark) => {
    if ('path' in mark) {
      const { path, stroke = 'none', fill = 'none', opacity = 1 } = mark;
      const line = `stroke="${stroke}" stroke-width="${mark.width ?? 1}" stroke-linecap="round" stroke-linejoin="round"`;
      return `<path d="${path}" fill="${fill}" ${line} opacity="${opacity}"/>`;
    }
    const { x, y, size, fill = PAPER.ink, anchor = 'start', isBold } = mark;
    const font = `font-size="${size}"${isBold ? ' font-weight="600"' : ''} text-anchor="${anchor}"`;
    return `<text x="${x}" y="${y}" ${font} fill="${fill}">${escapeSvg(fitted(mark, measure))}</text>`;
  });
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const ground = `<rect width="100%" height="100%" fill="${PAPER.ground}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${escapeSvg(FAMILY)}">${ground}${drawn.join('')}</svg>\n`;
}

/** Resolution per pixel. */
const SCALE = 2;

/** Draws a picture on a canvas: the page's Content-Security-Policy forbids an SVG in an image. */
function toPng({ width, height, marks }: Picture, measure: Measure): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width * SCALE, height * SCALE];
  const context = canvas.getContext('2d');
  if (!context) return Promise.resolve(null);
  context.scale(SCALE, SCALE);
  [context.lineCap, context.lineJoin] = ['round', 'round'];
  context.fillStyle = PAPER.ground;
  context.fillRect(0, 0, width, height);
  for (const mark of marks) {
    if ('path' in mark) {
      const path = new Path2D(mark.path);
      context.globalAlpha = mark.opacity ?? 1;
      context.lineWidth = mark.width ?? 1;
      [context.fillStyle, context.strokeStyle] = [mark.fill ?? '', mark.stroke ?? ''];
      if (mark.fill) context.fill(path);
      if (mark.stroke) context.stroke(path);
      context.globalAlpha = 1;
      continue;
    }
    context.font = fontOf(mark);
    context.textAlign = mark.anchor === 'middle' ? 'center' : (mark.anchor ?? 'start');
    context.fillStyle = mark.fill ?? PAPER.ink;
    context.fillText(fitted(mark, measure), mark.x, mark.y);
  }
  return new Promise((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
}

function createMeasure(): Measure {
  const context = document.createElement('canvas').getContext('2d');
  return (text, font) => {
    if (!context) return 0;
    context.font = font;
    return context.measureText(text).width;
  };
}

export type PictureForm = 'png' | 'svg';

/** Saves a picture as a file. */
export async function savePicture(picture: Picture, form: PictureForm, name: string): Promise<void> {
  const measure = createMeasure();
  const file =
    form === 'svg'
      ? new Blob([toSvg(picture, measure)], { type: 'image/svg+xml' })
      : await toPng(picture, measure);
  if (file) saveFile(file, `${name}.${form}`);
}
