import { command } from '../arguments/command.ts'

/** Examines an installation. */
export const doctor = command({
  about: 'Looks at every part of an installation, and says what is wrong and what to do.',
  more: [
    'It reads the same environment as the server, changes nothing, and ends with 1 when something is broken.',
  ],
  words: [],
  options: {},
  examples: [
    { line: 'heirloom doctor', about: 'Of the folder .heirloom:' },
    {
      line: `heirloom doctor --json | jq '.[] | select(.level != "ok")'`,
      about: 'Only what is not as it should be:',
    },
  ],
  isLocal: true,
  run: async ({ terminal, output }) => {
    const { doctor } = await import('../doctor/doctor.ts')
    const { lineOf } = await import('../doctor/finding.ts')
    const findings = []
    for await (const finding of doctor(terminal.env)) {
      findings.push(finding)
      if (!output.json) await output.lines([lineOf(finding)])
    }
    await output.answer({ value: findings, lines: [] })
    return findings.some(({ level }) => level === 'fail') ? 1 : 0
  },
})
