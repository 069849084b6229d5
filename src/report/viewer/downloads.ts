/** Saves pictures and tables, without any network: everything goes through a Blob. */
import type { TableBlock } from '../document.js';
import { csvText } from '../render/csv.js';
import { svgElement } from './element.js';
import { currentTheme } from './theme.js';

const FONT = 'system-ui, sans-serif';
const MARGIN = 16;
const TITLE = 28;
/** Pixels of a saved PNG for each of the page. */
const SHARPNESS = 2;

export function save(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads the address after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Characters that no XML may hold; names of features and queries may. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** The chart as a picture by itself: with its title, on the paper of the theme. */
function picture(svg: SVGSVGElement, title: string): { text: string; width: number; height: number } {
  const theme = currentTheme();
  const inner = svg.cloneNode(true) as SVGSVGElement;
  const [width, height] = [svg.width.baseVal.value + 2 * MARGIN, svg.height.baseVal.value + TITLE + 2 * MARGIN];
  inner.setAttribute('x', String(MARGIN));
  inner.setAttribute('y', String(MARGIN + TITLE));
  const heading = { x: MARGIN, y: MARGIN + 14, fill: theme.ink, 'font-family': FONT, 'font-size': 15 };
  const whole = svgElement(
    'svg',
    { width, height, viewBox: `0 0 ${width} ${height}` },
    svgElement('rect', { width, height, fill: theme.paper }),
    svgElement('text', { ...heading, 'font-weight': 600 }, title),
    inner,
  );
  const text = new XMLSerializer().serializeToString(whole).replace(NOT_XML, '\ufffd');
  return { text, width, height };
}

export function saveSvg(svg: SVGSVGElement, title: string): void {
  save(`${fileName(title)}.svg`, new Blob([picture(svg, title).text], { type: 'image/svg+xml' }));
}

export async function savePng(svg: SVGSVGElement, title: string): Promise<void> {
  const { text, width, height } = picture(svg, title);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [SHARPNESS * width, SHARPNESS * height];
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob(blob => blob && save(`${fileName(title)}.png`, blob), 'image/png');
}

export function saveCsv(table: TableBlock): void {
  save(
    `${fileName(table.title)}.csv`,
    new Blob([`${csvText(table, { notes: true, newline: '\r\n', forSpreadsheets: true })}\r\n`], { type: 'text/csv' }),
  );
}

function fileName(title: string): string {
  return (
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}@]+/gu, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'chart'
  );
}
