import { checkSample, type SampleCheck } from '../../../src/client/check-sample.ts'
import { contentHashOf } from '../../../src/client/content-hash.ts'
import type { Excerpts } from '../../../src/client/responses.ts'
import { serve } from '../worker-calls.ts'

type Salted = { readonly salt: `0x${string}`; readonly document: Blob }

type Sample = Salted & { readonly tokenId: string; readonly excerpts: Excerpts }

const handlers = {
  contentHash: async ({ salt, document }: Salted) =>
    contentHashOf(salt, new Uint8Array(await document.arrayBuffer())),
  /** Compares a document with the excerpts that its maker shows. */
  checkSample: async ({
    tokenId,
    salt,
    document,
    excerpts,
  }: Sample): Promise<SampleCheck | undefined> => {
    const bytes = new Uint8Array(await document.arrayBuffer())
    return checkSample({ excerpts: async () => excerpts }, { tokenId, document: bytes, salt })
  },
}

/** The functions of the worker that computes hashes of documents. */
export type HashHandlers = typeof handlers

serve(handlers)
