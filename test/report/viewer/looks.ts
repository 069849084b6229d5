/** What is looked for on any page of a report. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Controls and charts that a screen reader could not name. */
export function nameless(page: Page): Promise<string[]> {
  return page.$$eval('a, button, summary, .stage, .scroll, table, section', found =>
    found
      .filter(one => {
        const heading = document.getElementById(one.getAttribute('aria-labelledby') ?? '');
        const text = one.matches('a, button, summary') ? one.textContent : '';
        return (one.getAttribute('aria-label') ?? heading?.textContent ?? text ?? '').trim() === '';
      })
      .map(one => one.outerHTML.slice(0, 80)),
  );
}

interface Saved {
  /** The name of the button. */
  readonly button: string;
  readonly file: string;
  readonly type: string;
  readonly size: number;
  readonly start: string;
}

/** What the buttons of a page save, read in the page: real downloads of every one would take long. */
export function savedByAll(page: Page): Promise<Saved[]> {
  return page.evaluate(async () => {
    const [create, click] = [URL.createObjectURL, HTMLAnchorElement.prototype.click];
    const saved: Saved[] = [];
    for (const button of document.querySelectorAll<HTMLButtonElement>('.tools button')) {
      let blob = new Blob();
      URL.createObjectURL = made => {
        blob = made as Blob;
        return create.call(URL, made);
      };
      const file = await new Promise<string>(resolve => {
        HTMLAnchorElement.prototype.click = function () {
          resolve(this.download);
        };
        button.click();
      });
      saved.push({
        button: button.getAttribute('aria-label')!,
        file,
        type: blob.type,
        size: blob.size,
        start: await blob.slice(0, 20).text(),
      });
    }
    URL.createObjectURL = create;
    HTMLAnchorElement.prototype.click = click;
    return saved;
  });
}

/** Moves the pointer over every chart, from corner to corner: scripts that fail there would not fail before. */
export async function sweep(page: Page): Promise<void> {
  const said = await page.$$eval('.stage', stages =>
    stages.map(stage => {
      const { left, top, width, height } = stage.getBoundingClientRect();
      for (let share = 0; share <= 1; share += 0.1) {
        const at = { clientX: left + share * width, clientY: top + share * height };
        stage.dispatchEvent(new PointerEvent('pointermove', at));
      }
      return stage.querySelector('.tip')!.textContent;
    }),
  );
  expect(said.filter(text => text === '')).toEqual([]);
}

/** Texts with a contrast to what is behind them below WCAG's 4.5, and lines of charts below its 3. */
export function faintTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
    const rgb = (colour: string) => {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
    };
    const luminance = (colour: string) => {
      const [r, g, b] = rgb(colour).map(value => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
    };
    const contrast = (a: string, b: string) => {
      const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
      return (high! + 0.05) / (low! + 0.05);
    };
    const behind = (start: Element) => {
      for (let at: Element | null = start; at !== null; at = at.parentElement) {
        const { backgroundColor } = getComputedStyle(at);
        if (backgroundColor !== 'rgba(0, 0, 0, 0)') return backgroundColor;
      }
      return 'white';
    };
    const faint: string[] = [];
    const check = (element: Element, colour: string, least: number) => {
      const found = contrast(colour, behind(element));
      if (found < least) faint.push(`${element.tagName} ${element.textContent?.slice(0, 40)}: ${found.toFixed(2)}`);
    };
    for (const element of document.querySelectorAll('h1, h2, p, a, dt, dd, button, td, th, figcaption, summary, pre')) {
      if (element.textContent !== '' && element.getClientRects().length > 0) {
        check(element, getComputedStyle(element).color, 4.5);
      }
    }
    for (const text of document.querySelectorAll('.stage > svg text')) {
      // Numbers inside the cells of a heat map are on the cell, not on the paper.
      if (text.closest('svg')!.querySelector('[aria-label="cell"]') === null) {
        check(text, getComputedStyle(text).fill, 4.5);
      }
    }
    for (const line of document.querySelectorAll('.stage > svg [aria-label="line"] path')) {
      const shown = getComputedStyle(line).stroke;
      check(line, shown, 3);
    }
    return faint;
  });
}
