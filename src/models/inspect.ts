/** What a model file holds, in a few words. */
import { open, stat } from 'node:fs/promises';
import { loadModel } from './model-file.js';

export interface ModelInspection {
  readonly kind: string;
  readonly features: readonly string[];
  /** Of the file, in bytes. */
  readonly size: number;
}

/** Whether a file starts as model files do; a path that cannot be read is none. */
export async function isModelFile(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
    return /^\s*\{\s*"format"\s*:\s*"listwise\/model\//.test(buffer.toString('latin1', 0, bytesRead));
  } catch {
    return false; // a directory
  } finally {
    await file.close();
  }
}

export async function inspectModel(path: string): Promise<ModelInspection> {
  const model = await loadModel(path);
  return { kind: model.kind, features: model.featureNames, size: (await stat(path)).size };
}
