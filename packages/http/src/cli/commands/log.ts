import type { NamedVersion } from '../../client/responses.ts'
import { command } from '../arguments/command.ts'
import { moreLine, pageOptions, readPage } from '../arguments/read-values.ts'
import { serverOptions } from '../connection/connect.ts'
import { namesOptions, openNames } from '../connection/open-names.ts'
import { timeText } from '../terminal/value-text.ts'

/** Shows the versions of a name. */
export const log = command({
  about: 'Shows who saved what when under a private name, newest first.',
  words: [{ name: 'NAME', about: 'The name.' }],
  options: {
    ...pageOptions,
    ...namesOptions,
    ...serverOptions,
  },
  examples: [
    { line: 'heirloom log ada', about: 'Show the versions with their sizes:' },
    { line: 'heirloom log diary --as-wallet', about: 'Show those of a name of your own wallet:' },
  ],
  run: async (call) => {
    const page = await (await openNames(call)).versions(call.words.NAME, readPage(call.options))
    const more = moreLine(page.next)
    await call.output.result({ value: page, lines: [...page.items.map(versionText), ...more] })
    return 0
  },
})

function versionText(it: NamedVersion): string {
  const time = timeText(`${Math.floor(it.savedAt / 1000)}`)
  const sizes = `${it.documentBytes} bytes, ${it.storedBytes} stored`
  const sold = it.isTransferred ? `, belongs to ${it.owner} now` : ''
  const erased = it.erasedAt === null ? '' : ', erased'
  return `${it.version}  token ${it.tokenId}  ${time}  ${sizes}, saved by ${it.savedBy}${sold}${erased}`
}
