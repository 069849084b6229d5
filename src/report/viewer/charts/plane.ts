/** The picture of a chart over two axes of numbers: margins, axes and legend around its marks. */
import type * as Plot from '@observablehq/plot';
import type { Axis } from '../../charts.js';
import type { Frame } from './drawing.js';
import {
  bottomMargin,
  horizontalAxis,
  leftMargin,
  type Picture,
  picture,
  type scaleOf,
  TOP,
  usualHeight,
  verticalAxis,
} from './layout.js';
import type { Legend } from './legend.js';

export interface PlaneAxis {
  readonly axis: Axis;
  readonly scale: ReturnType<typeof scaleOf>;
}

export function plane(
  frame: Frame,
  { x, y, legend }: { readonly x: PlaneAxis; readonly y: PlaneAxis; readonly legend?: Legend },
  marks: readonly Plot.Markish[],
): Picture {
  const { width, theme } = frame;
  const above = legend?.height ?? 0;
  const below = bottomMargin(x.axis, width);
  const slanted = below > bottomMargin({ label: '' }, width);
  // The first of them reaches to the left of its place.
  const marginLeft = Math.max(leftMargin(y.axis, y.scale.domain), slanted ? 64 : 0);
  return picture(
    frame,
    {
      // Texts that are slanted take nothing from the picture.
      height: usualHeight(frame) + above + below - bottomMargin({ label: '' }, width),
      marginLeft,
      marginRight: 16,
      marginTop: above + TOP,
      marginBottom: below,
      x: x.scale,
      y: y.scale,
      marks: [
        ...horizontalAxis(x.axis, x.scale.domain, width, theme),
        ...verticalAxis(y.axis, y.scale.domain, marginLeft, theme),
        ...marks,
      ],
    },
    legend,
  );
}
