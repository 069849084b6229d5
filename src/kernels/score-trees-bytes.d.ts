/** Written by the build: the compiled kernel. */
export const base64: string;
