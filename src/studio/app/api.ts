/** Asks the studio's server. */
export async function ask<T>(path: string, body?: unknown): Promise<T> {
  const response = await fetch(
    `/api/${path}`,
    body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
  );
  // JSON has no NaN: what is null in it is a number that does not exist.
  const json = JSON.parse(await response.text(), (_, value) => (value === null ? Number.NaN : value)) as T & {
    error?: { message: string };
  };
  if (!response.ok) throw new Error(json.error?.message ?? response.statusText);
  return json;
}
