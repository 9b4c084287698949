import { command } from '../arguments/command.ts'

/** Copies the blocks of a data folder, each into a file of its own. */
export const blocks = command({
  about: 'Copies the blocks of a data folder, each into a file of its own.',
  more: [
    'Reads DATA_DIR; its server may run. A server moves small blocks into one file, compacted.sqlite. Where each block must be a file or an object, as in a bucket, copy them with this command first. A file has the path that `docs/storage.md` describes; one that is there is not written again. A block that does not match its digest is left out, and named.',
  ],
  words: [
    { name: 'ACT', about: 'export.', choices: ['export'] },
    { name: 'FOLDER', about: 'The folder for the copies; created if it does not exist.' },
  ],
  options: {},
  examples: [{ line: 'heirloom blocks export blocks', about: 'Copy all blocks:' }],
  isLocal: true,
  run: async ({ words, terminal, output }) => {
    const { exportBlocks } = await import('../export-blocks.ts')
    const report = await exportBlocks(terminal.env, words.FOLDER)
    const { copied, present, damaged } = report
    const found = `Copied ${copied} blocks; ${present} were there before.`
    const lines = damaged.map((name) => `damaged, not copied: ${name}`)
    await output.result({ value: report, lines: [...lines, found] })
    return damaged.length === 0 ? 0 : 1
  },
})
