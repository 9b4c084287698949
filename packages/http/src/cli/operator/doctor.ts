import { command, withValue } from '../arguments/command.ts'
import { serverUrl } from '../connection/connect.ts'
import type { Finding } from './doctor/finding.ts'

/** Checks an installation. */
export const doctor = command({
  about: 'Checks every part of an installation, and says what is wrong and what to do.',
  more: [
    'Reads the same environment as the server, changes nothing, and exits with 1 when something is broken.',
    'A server that uses the data folder locks some parts of it; it is asked about these at --url, HEIRLOOM_URL or the address of its settings. Without a data folder here, only that server is asked.',
  ],
  words: [],
  options: {
    url: withValue(
      'URL',
      'Address of the server to ask. Default: HEIRLOOM_URL, else HOST and PORT.',
    ),
  },
  examples: {
    'Check the installation in .heirloom:': 'heirloom doctor',
    'Print only problems:': `heirloom doctor --json | jq '.[] | select(.level != "ok")'`,
    'Ask a running server how its parts are:': 'heirloom doctor --url "$HEIRLOOM_URL"',
  },
  isLocal: true,
  run: async (call) => {
    const { terminal, output, options } = call
    const { doctor } = await import('./doctor/doctor.ts')
    const { findingLines } = await import('./doctor/finding.ts')
    const { skippedLines } = await import('./doctor/installation.ts')
    const isNamed = (options.url ?? terminal.env.HEIRLOOM_URL ?? '') !== ''
    const apiKey = terminal.env.HEIRLOOM_API_KEY
    const server = isNamed ? { url: serverUrl(call), apiKey } : undefined
    const findings: Finding[] = []
    for await (const finding of doctor(terminal.env, { server })) {
      findings.push(finding)
      const isLine = !output.json && finding.skippedBecause === undefined
      if (isLine) await output.lines(findingLines(finding, output.width))
    }
    await output.result({ value: findings, lines: skippedLines(findings, output.width) })
    return findings.some(({ level }) => level === 'fail') ? 1 : 0
  },
})
