import { findSecrets } from '@heirloom/adapters/formats'
import { serve } from '../worker-calls.ts'
import { checkExcerpts } from './check-excerpts.ts'
import { type Exported, exportFiles, listSaveChoices } from './export-files.ts'
import { importSource } from './import-source.ts'

const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer())

const handlers = {
  importSource,
  checkExcerpts,
  findSecrets: (text: string) => findSecrets(text),
  listSaveChoices: async (document: Blob) => listSaveChoices(await bytesOf(document)),
  exportFiles: async ({ document, ...options }: Exported<Blob>) =>
    exportFiles({ document: await bytesOf(document), ...options }),
}

/** The functions of the worker that reads and writes the formats of other programs. */
export type FormatsHandlers = typeof handlers

serve(handlers)
