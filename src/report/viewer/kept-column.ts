/** Beside a column that stays while its table scrolls no other is seen in part: half a number reads as another. */

/** How much of the table's width, left of that column, is covered with it. */
const COVER = '--cover';

/** `heads` are those of all columns; the one that stays is marked `.kept`. */
export function coverCut(scroll: HTMLElement, table: HTMLElement, heads: readonly HTMLElement[]): void {
  const kept = heads.find(head => head.classList.contains('kept'));
  if (kept === undefined) return;
  const cover = () => {
    const edge = kept.getBoundingClientRect().left;
    const room = edge - scroll.getBoundingClientRect().left;
    const cut = heads
      .filter(head => head !== kept)
      .map(head => ({ box: head.getBoundingClientRect(), gap: Number.parseFloat(getComputedStyle(head).paddingRight) }))
      .filter(({ box, gap }) => box.left < edge && box.right - gap > edge)
      // One that is wider than the room could not be read at all: it is there once half of the room is its own.
      .find(({ box, gap }) => box.width - gap <= room || edge - box.left < room / 2);
    table.style.setProperty(COVER, `${cut === undefined ? 0 : edge - cut.box.left}px`);
  };
  scroll.addEventListener('scroll', cover, { passive: true });
  const watcher = new ResizeObserver(cover);
  watcher.observe(scroll);
  watcher.observe(table);
}
