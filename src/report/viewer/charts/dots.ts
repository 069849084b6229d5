/** Dots of a plane: an element each, and of many thousands an element for some hundred of one colour. */
import * as Plot from '@observablehq/plot';
import { svgElement } from '../element.js';

/** From so many on. */
const MANY = 2000;
/** Dots of one element: where dots of several lie upon each other it is darker, as with single ones. */
const TOGETHER = 200;

interface Place {
  readonly x: number;
  readonly y: number;
}

interface Look<P> {
  colour(point: P): string;
  readonly opacity: number;
}

export function dots<P extends Place>(points: readonly P[], { colour, opacity }: Look<P>): Plot.Markish {
  const radius = points.length > 500 ? 2.5 : 4;
  if (points.length < MANY) return Plot.dot(points, { x: 'x', y: 'y', r: radius, fill: colour, fillOpacity: opacity });
  const byColour = new Map<string, P[]>();
  for (const point of points) {
    const own = byColour.get(colour(point));
    if (own === undefined) byColour.set(colour(point), [point]);
    else own.push(point);
  }
  return (_, { x, y }) => {
    const group = svgElement('g', { 'stroke-linecap': 'round', 'stroke-width': String(2 * radius) });
    for (const [stroke, own] of byColour) {
      for (let from = 0; from < own.length; from += TOGETHER) {
        // A line without length has round ends: a dot.
        const place = (point: P) => `M${tenth(x!(point.x))},${tenth(y!(point.y))}h0`;
        const d = own
          .slice(from, from + TOGETHER)
          .map(place)
          .join('');
        group.append(svgElement('path', { d, stroke, 'stroke-opacity': String(opacity), fill: 'none' }));
      }
    }
    return group;
  };
}

const tenth = (pixels: unknown) => Math.round(Number(pixels) * 10) / 10;
