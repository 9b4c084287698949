import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { codingFor } from '../routes/send-page.ts'

/** The length from which a compressed answer is shorter by more than its headers, in characters. */
const leastLength = 1024

// The best quality takes ten times as long for a tenth of the bytes.
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const encode = {
  br: (text: string) => promisify(brotliCompress)(text, fast),
  gzip: promisify(gzip),
}

/**
 * Compresses the JSON of the reads that are registered in the same scope, off the event loop.
 *
 * Only what anyone may read belongs there. The length of a compressed body shows how much two parts of
 * it have in common, so a body that holds a secret beside what a stranger chose gives the secret away,
 * request by request (BREACH). What needs an access proof or a key is sent as it is.
 */
export function compressReads(reads: FastifyInstance): void {
  reads.addHook('onSend', async ({ method, headers }, reply, payload) => {
    // A cache needs it of HEAD, too, whose own length is that of the body as it is.
    reply.header('vary', 'accept-encoding')
    const isWhole = method === 'GET' && reply.statusCode === 200
    if (!isWhole || typeof payload !== 'string') return payload
    const coding = codingFor(headers['accept-encoding'])
    if (payload.length < leastLength || coding === 'identity') return payload
    reply.header('content-encoding', coding)
    return encode[coding](payload)
  })
}
