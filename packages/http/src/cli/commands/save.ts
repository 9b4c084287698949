import { command, type Options } from '../arguments/command.ts'
import { saveOptions, saveVersion } from '../connection/save-version.ts'
import { documentWithoutSecrets, secretOptions } from '../connection/without-secrets.ts'
import { buildDocument } from '../terminal/build-document.ts'
import { readInput } from '../terminal/files.ts'
import { metadataOptions } from './snapshot.ts'

const options = {
  ...metadataOptions,
  ...secretOptions,
  ...saveOptions,
} as const satisfies Options

/** Saves a memory as the next version of a name. */
export const save = command({
  about: 'Saves a memory as the next version of a private name.',
  more: [
    'The parent of the new token is the last version. Of several saves at once one wins; the others exit with 5, and mint and pay nothing. With --after also one that was saved since you looked is never overwritten unseen.',
    'With --as-wallet the name is one of your own wallet, which mints the token.',
    'FILE is a JSON object; heirloom import --name saves Markdown, text and the memories of other programs.',
    'A memory with what looks like a secret is refused without --redact or --keep-secrets.',
  ],
  words: [
    { name: 'NAME', about: 'The name, such as ada or ada/trading.' },
    { name: 'FILE', about: 'The memory; - for standard input.', file: true },
  ],
  options,
  examples: [
    { line: 'heirloom save ada memory.json', about: 'Save the next version:' },
    { line: 'heirloom save ada memory.json --after 7', about: 'Refuse if another came after 7:' },
    {
      line: 'heirloom save diary memory.json --as-wallet',
      about: 'Save to a name of your own wallet, which mints and pays:',
    },
  ],
  run: async (call) => {
    const { NAME, FILE } = call.words
    const { category, 'agent-id': agentId, version } = call.options
    const bytes = await readInput(call.terminal, FILE)
    const file = FILE === '-' ? 'Standard input' : FILE
    const importer = `heirloom import --name ${NAME}`
    const built = buildDocument({ bytes, file, category, agentId, version, importer })
    const document = await documentWithoutSecrets(call, built)
    await call.output.result(await saveVersion(call, NAME, { document }))
    return 0
  },
})
