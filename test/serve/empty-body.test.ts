import { expect, it } from 'vitest';
import { scanRequest } from '#listwise/serve/scan-request.js';

it('a first request without a body is left to the plain way', () => {
  const limits = { body: 100, documents: 1, features: 1 };
  const none = () => {
    throw new Error('nothing asks for a model');
  };
  expect(scanRequest([], none, limits)).toBe(undefined);
});
