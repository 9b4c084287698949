import { describe, expect, it, onTestFinished } from 'vitest'
import { startAnvil } from '../harness/chain/anvil.ts'
import { deploy, newDeployer } from '../harness/process/deployer.ts'

describe('deploy on a chain with an older hardfork', () => {
  it.each([
    ['paris', 'PUSH0 (shanghai), MCOPY (cancun), TSTORE (cancun) and TLOAD (cancun)'],
    ['shanghai', 'MCOPY (cancun), TSTORE (cancun) and TLOAD (cancun)'],
  ])('names the opcodes that %s lacks, and pays nothing', async (hardfork, missing) => {
    const anvil = await startAnvil({ hardfork })
    onTestFinished(anvil.stop)
    const { env, keyless, nonce } = await newDeployer(anvil)
    const message = `RPC_URL names chain 31337, which does not execute ${missing}; the contracts need a chain with the rules of cancun or later.\n`
    expect(await deploy(env)).toMatchObject({ code: 1, out: '', told: message })
    expect(await nonce()).toBe(0)
    const dry = await deploy(keyless, '--dry-run')
    expect(dry).toMatchObject({ code: 1, out: '' })
    expect(dry.told).toContain(message)
  })

  it.each(['cancun', 'prague'])('deploys under the rules of %s', async (hardfork) => {
    const anvil = await startAnvil({ hardfork })
    onTestFinished(anvil.stop)
    const { env, nonce } = await newDeployer(anvil)
    expect(await deploy(env)).toMatchObject({ code: 0 })
    expect(await nonce()).toBe(1)
  })
})
