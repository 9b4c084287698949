/** How far a memory has come, in bytes. */
export type Progress = {
  readonly phase: 'upload' | 'download'
  readonly bytes: number
  /** How many there will be, where that is known. */
  readonly total?: number
}

/** How many bytes are handed over at a time. */
const portion = 65_536

/** Browsers send a stream only over HTTP/2, and some not at all. */
const isBrowser = 'document' in globalThis || 'WorkerGlobalScope' in globalThis

/**
 * Returns what a request is sent with so that its progress is told: a stream that counts what the
 * network takes. Where the runtime cannot send one, what is told is its beginning and nothing more
 * until the answer.
 */
export function countedBody(
  bytes: Uint8Array<ArrayBuffer>,
  tell: (progress: Progress) => void,
): Pick<RequestInit, 'body'> {
  const total = bytes.length
  tell({ phase: 'upload', bytes: 0, total })
  if (isBrowser) return { body: bytes }
  let sent = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const end = Math.min(sent + portion, total)
        controller.enqueue(bytes.subarray(sent, end))
        sent = end
        tell({ phase: 'upload', bytes: sent, total })
        if (sent === total) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { body, duplex: 'half' } as Pick<RequestInit, 'body'>
}
