import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { codingFor } from '../routes/send-page.ts'

/** The length from which a compressed answer is shorter by more than its headers, in characters. */
const leastLength = 1024

const encode = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
}

// The best quality takes ten times as long for a tenth of the bytes.
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/**
 * Compresses the JSON of the reads that are registered in the same scope, off the event loop.
 *
 * Only what anyone may read belongs there. The length of a compressed body shows how much two parts of
 * it have in common, so a body that holds a secret beside what a stranger chose gives the secret away,
 * request by request (BREACH). What needs an access proof or a key is sent as it is.
 */
export function compressReads(reads: FastifyInstance): void {
  reads.addHook('onSend', async ({ method, headers }, reply, payload) => {
    if (method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string') return payload
    reply.header('vary', 'accept-encoding')
    const coding = codingFor(headers['accept-encoding'])
    if (coding === 'identity' || payload.length < leastLength) return payload
    reply.header('content-encoding', coding)
    return coding === 'br' ? encode.br(payload, fast) : encode.gzip(payload)
  })
}
