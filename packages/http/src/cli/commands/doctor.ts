import { command } from '../arguments/command.ts'
import type { Finding } from '../doctor/finding.ts'

/** Checks an installation. */
export const doctor = command({
  about: 'Checks every part of an installation, and says what is wrong and what to do.',
  more: [
    'Reads the same environment as the server, changes nothing, and exits with 1 when something is broken.',
  ],
  words: [],
  options: {},
  examples: [
    { line: 'heirloom doctor', about: 'Check the installation in .heirloom:' },
    {
      line: `heirloom doctor --json | jq '.[] | select(.level != "ok")'`,
      about: 'Print only problems:',
    },
  ],
  isLocal: true,
  run: async ({ terminal, output }) => {
    const { doctor } = await import('../doctor/doctor.ts')
    const { findingLine } = await import('../doctor/finding.ts')
    const { skippedLines } = await import('../doctor/installation.ts')
    const findings: Finding[] = []
    for await (const finding of doctor(terminal.env)) {
      findings.push(finding)
      const isLine = !output.json && finding.skippedBecause === undefined
      if (isLine) await output.lines([findingLine(finding)])
    }
    await output.result({ value: findings, lines: skippedLines(findings) })
    return findings.some(({ level }) => level === 'fail') ? 1 : 0
  },
})
