import { within } from '../workers/worker-calls.ts'
import type { Block } from './markdown-block.ts'
import type { MarkdownHandlers } from './markdown-worker.ts'

/** The longest text that is shown as Markdown, in UTF-16 code units. */
export const longestMarkdown = 200_000

/** The longest that a text is parsed, in milliseconds; some texts are made to take for ever. */
const limit = 5_000

/**
 * Parses Markdown texts in a worker.
 *
 * @throws {WorkerFailure} when that takes too long
 */
export const parseInWorker = (
  texts: readonly string[],
  levelAbove?: number,
): Promise<readonly (readonly Block[])[]> =>
  within<MarkdownHandlers, readonly (readonly Block[])[]>({
    start: () => new Worker(new URL('./markdown-worker.ts', import.meta.url), { type: 'module' }),
    run: (calls) => calls.parse({ texts, levelAbove }),
    limit,
    tooLong: 'This text takes too long to parse as Markdown.',
  })
