import { command } from '../arguments/command.ts'
import { readTokenId } from '../arguments/read-values.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import { rows } from '../terminal/value-text.ts'

/** Checks the sealed bytes of a token. */
export const integrity = command({
  about: 'Checks that the server has the sealed bytes of a token, and that they are unchanged.',
  more: ['Opens nothing and needs no wallet. Exits with 1 when the bytes are missing or changed.'],
  words: [{ name: 'ID', about: 'The token.' }],
  options: serverOptions,
  examples: [{ line: 'heirloom integrity 7', about: 'Check the memory of a token:' }],
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const client = await connect(call)
    const value = await client.integrity(id, { signal: call.signal })
    const lines = rows([
      ['Token', value.tokenId],
      ['Stored', value.present ? `yes, ${value.bytes ?? 0} sealed bytes` : 'no'],
      ['Unchanged', value.matches ? 'yes' : 'no'],
    ])
    await call.output.result({ value, lines })
    return value.matches ? 0 : 1
  },
})
