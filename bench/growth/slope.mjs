// How time grows with size: the slope of the logarithm of time over that of size. 1 is linear, 2 is quadratic.

/** Of [size, seconds]: the slope of the straight line through their logarithms, by least squares. */
export function growthOf(pairs) {
  const points = pairs.map(pair => pair.map(Math.log));
  const mean = numbers => numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
  const x = mean(points.map(point => point[0]));
  const y = mean(points.map(point => point[1]));
  const along = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return along / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}
