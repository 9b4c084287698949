import { actsOn } from './acts.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'
import { refusalOf } from './refusal.ts'

export const day = 86_400n
export const [buyer, stranger] = [party(10), party(11)]

type Party = ReturnType<typeof party>

/** Contracts, and what accounts and their heirs do. */
export type HeirPlans = Awaited<ReturnType<typeof openHeirPlans>>

/** Opens contracts on which accounts name heirs. */
export async function openHeirPlans() {
  const harness = await openContractHarness()
  const now = async () => (await harness.client.getBlock()).timestamp
  const wait = async (time: bigint) => harness.mineAt((await now()) + time)
  let next = 0
  const acts = actsOn(harness)
  return {
    harness,
    acts,
    now,
    wait,
    /** Returns an account and an heir that the test before did not have, so that one chain suffices. */
    nextPlan: () => {
      const partyAt = (place: number) => party((next + place) % 8)
      const [account, heir, outsider] = [partyAt(0), partyAt(1), partyAt(4)]
      next += 1
      return { account, heir, outsider, ...planActs(harness, { account, heir, now, wait }) }
    },
  }
}

type Plan = {
  readonly account: Party
  readonly heir: Party
  readonly now: () => Promise<bigint>
  readonly wait: (time: bigint) => Promise<unknown>
}

function planActs({ registry, mined }: ContractHarness, { account, heir, now, wait }: Plan) {
  const nameHeir = async (silence = 30n, notice = 40n, from = account): Promise<bigint> => {
    await mined(registry.write.nameHeir([heir.address, silence, notice], { account: from }))
    return now()
  }
  const announce = (by = heir) =>
    mined(registry.write.announceTakeover([account.address], { account: by }))
  return {
    nameHeir,
    announce,
    takeOver: (tokenIds: readonly bigint[], by = heir) =>
      mined(registry.write.takeOver([account.address, tokenIds], { account: by })),
    refuseTakeOver: (tokenIds: readonly bigint[], by = heir) =>
      refusalOf(registry.simulate.takeOver([account.address, tokenIds], { account: by })),
    planOf: () => registry.read.heirOf([account.address]),
    /** Lets an account fall silent, and its heir announce and wait for the whole notice. */
    ripen: async (): Promise<void> => {
      await nameHeir()
      await wait(30n * day)
      await announce()
      await wait(40n * day)
    },
  }
}
