import { command } from '../arguments/command.ts'
import { readTokenId } from '../arguments/read-values.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import { eventText } from '../terminal/market-text.ts'
import { printableJson, writeTo } from '../terminal/output.ts'

/** Prints events as they happen. */
export const events = command({
  about: 'Prints what happens on the market as it happens, until Ctrl-C.',
  more: [
    'With --json each event is one line. A lost connection is resumed after the last event that was printed.',
  ],
  words: [],
  options: {
    token: { type: 'string', value: 'ID', about: 'Only the events of this token.' },
    after: { type: 'string', value: 'ID', about: 'Begin after the event with this id.' },
    ...serverOptions,
  },
  examples: [
    { line: 'heirloom events', about: 'Watch the market:' },
    { line: 'heirloom events --token 7 --json | jq .kind', about: 'Pass events to a program:' },
  ],
  run: async (call) => {
    const { token, after } = call.options
    const tokenId = token === undefined ? undefined : readTokenId('--token', token)
    const client = await connect(call)
    for await (const event of client.events({ tokenId, after }, { signal: call.signal })) {
      if (!call.output.json) await call.output.lines([eventText(event)])
      else await writeTo(call.terminal.stdout, `${printableJson(JSON.stringify(event))}\n`)
    }
    return 0
  },
})
