import { registerHooks } from 'node:module'

// Code that is compiled without the optimizer is larger than a chain allows. Imported before the tests
// of such code, this lifts the limit in the program that runs their chains.
registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context)
    if (!url.endsWith('/evm-worker-program.ts')) return loaded
    const limited = 'allowUnlimitedContractSize: false'
    const source = String(loaded.source)
    if (!source.includes(limited)) throw new Error(`${url} does not say "${limited}".`)
    return { ...loaded, source: source.replace(limited, 'allowUnlimitedContractSize: true') }
  },
})
