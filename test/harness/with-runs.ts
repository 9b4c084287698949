import fc from 'fast-check'

/** Returns a function that opens subjects, each of whose laws then runs on so many examples. */
export const withRuns =
  <Subject>(numRuns: number, open: () => Promise<Subject>): (() => Promise<Subject>) =>
  () => {
    fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns })
    return open()
  }
