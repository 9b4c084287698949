/** Returns bytes derived from a number: mostly few, every tenth time more than one block. */
export function numberedBlob(number: number): Uint8Array {
  const length = number % 10 === 9 ? 1_048_576 + number : 1 + ((number * 7919) % 5000)
  return Uint8Array.from(Buffer.alloc(length, `blob ${number} `))
}
