import { command } from '../arguments/command.ts'
import { moreLine, pageOptions, readPage, readTokenId } from '../arguments/read-values.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import { eventText } from '../terminal/market-text.ts'

/** Shows the events of a token. */
export const history = command({
  about: 'Shows everything that happened to a token, oldest first.',
  words: [{ name: 'ID', about: 'The token.' }],
  options: {
    ...pageOptions,
    ...serverOptions,
  },
  examples: [{ line: 'heirloom history 7', about: 'Show mints, prices, sales and rentals:' }],
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const client = await connect(call)
    const page = await client.history(id, readPage(call.options), { signal: call.signal })
    const more = moreLine(page.next)
    await call.output.result({
      value: page,
      lines: [...page.items.map((it) => eventText(it)), ...more],
    })
    return 0
  },
})
