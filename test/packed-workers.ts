import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { builtProgram } from '../packages/http/test/built-program.ts'
import { tier } from './tier.ts'

/**
 * Lets the sources start the packed programs of their workers, which load in a third of the time; in
 * the long tier each worker runs from its sources.
 */
export const packedWorkers = (): Plugin => ({
  name: 'packed-workers',
  enforce: 'pre',
  transform(code) {
    if (tier === 'long' || !startsWorker.test(code)) return undefined
    const packed = JSON.stringify(pathToFileURL(builtProgram).href)
    return { code: code.replaceAll('import.meta.url', packed), map: null }
  },
})

/** A module that starts a worker names its program after itself, packed or not. */
const startsWorker = /-program\$\{extname\(import\.meta\.url\)\}/
