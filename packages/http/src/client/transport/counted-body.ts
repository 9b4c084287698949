/** The progress of the transfer of a memory. */
export type Progress = {
  readonly phase: 'upload' | 'download'
  /** The bytes transferred so far. */
  readonly bytes: number
  /** The total of bytes, if known. */
  readonly total?: number
}

/** The bytes of one chunk. */
const chunkSize = 65_536

/** Browsers upload streams over HTTP/2 only, and some not at all. */
const isBrowser = 'document' in globalThis || 'WorkerGlobalScope' in globalThis

/**
 * Returns a request body that reports its progress: a stream that counts the bytes the network
 * takes. In a browser, which cannot send a stream, only the start is reported.
 */
export function countedBody(
  bytes: Uint8Array<ArrayBuffer>,
  onProgress: (progress: Progress) => void,
): Pick<RequestInit, 'body'> {
  const total = bytes.length
  onProgress({ phase: 'upload', bytes: 0, total })
  if (isBrowser) return { body: bytes }
  let sent = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const end = Math.min(sent + chunkSize, total)
        controller.enqueue(bytes.subarray(sent, end))
        sent = end
        onProgress({ phase: 'upload', bytes: sent, total })
        if (sent === total) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { body, duplex: 'half' } as Pick<RequestInit, 'body'>
}
