import type { Static } from '@sinclair/typebox'
import { expectTypeOf, test } from 'vitest'
import type { LineageRecord, TokenRecord } from '../api/schemas/catalogue-schemas.ts'
import type { EventRecord } from '../api/schemas/event-schemas.ts'
import type { Forked as ForkedSchema, ListBody, RentBody } from '../api/schemas/market-schemas.ts'
import type { Minted as MintedSchema, SnapshotBody } from '../api/schemas/memory-schemas.ts'
import type { Client } from './client.ts'
import type {
  AcquireInput,
  ListInput,
  ListingsQuery,
  RentInput,
  SnapshotInput,
} from './requests.ts'
import type { Event, Forked, Lineage, Minted, Token } from './responses.ts'

type ReadonlyOf<T> = T extends object ? { readonly [name in keyof T]: ReadonlyOf<T[name]> } : T
type ResponseOf<method extends keyof Client> = Awaited<
  ReturnType<Client[method] extends (...given: never) => infer R ? () => R : never>
>

test('responses of the client have the types of the schemas', () => {
  expectTypeOf<ResponseOf<'snapshot'>>().toEqualTypeOf<ReadonlyOf<Static<typeof MintedSchema>>>()
  expectTypeOf<ResponseOf<'fork'>>().toEqualTypeOf<ReadonlyOf<Static<typeof ForkedSchema>>>()
  expectTypeOf<ResponseOf<'lineage'>>().toEqualTypeOf<ReadonlyOf<Static<typeof LineageRecord>>>()
  expectTypeOf<ResponseOf<'listings'>['items'][number]>().toEqualTypeOf<
    ReadonlyOf<Static<typeof TokenRecord>>
  >()
  expectTypeOf<Event>().toEqualTypeOf<ReadonlyOf<Static<typeof EventRecord>>>()
  expectTypeOf<Minted['txHash']>().toEqualTypeOf<`0x${string}`>()
  expectTypeOf<Token['link']>().toEqualTypeOf<'fork' | 'declared' | null>()
  expectTypeOf<Lineage['split']['royalties'][number]['amount']>().toEqualTypeOf<string>()
  expectTypeOf<Forked['tokenId']>().toEqualTypeOf<string>()
})

test('a caller says what shape a memory has', () => {
  type Diary = { readonly mood: string }
  type Opened = Awaited<ReturnType<typeof openDiary>>
  const openDiary = (client: Client) => client.download<Diary>(1)
  const nameDiary = (client: Client) => client.memory<Diary>('ada')
  type Named = ReturnType<typeof nameDiary>
  expectTypeOf<Opened['data']>().toEqualTypeOf<Diary>()
  expectTypeOf<Awaited<ReturnType<Named['at']>>>().toEqualTypeOf<Opened>()
  expectTypeOf<Awaited<ReturnType<Named['latest']>>>().toEqualTypeOf<Opened | undefined>()
  const metadata = { category: 'x' }
  expectTypeOf({ data: { mood: 'calm' }, metadata }).toExtend<Parameters<Named['save']>[0]>()
  expectTypeOf({ data: { mod: 'calm' }, metadata }).not.toExtend<Parameters<Named['save']>[0]>()
  expectTypeOf<ResponseOf<'download'>['data']>().toEqualTypeOf<object>()
  const readMood = (client: Client) => client.part<string>(1, '/data/mood')
  expectTypeOf<Awaited<ReturnType<typeof readMood>>['value']>().toEqualTypeOf<string>()
})

test('the client accepts the requests of the schemas', () => {
  expectTypeOf<Static<typeof ListBody>>().toExtend<ListInput>()
  expectTypeOf<keyof ListInput>().toEqualTypeOf<keyof Static<typeof ListBody>>()
  expectTypeOf<keyof RentInput>().toEqualTypeOf<keyof Static<typeof RentBody>>()
  expectTypeOf<keyof AcquireInput>().toEqualTypeOf<Exclude<keyof RentInput, 'durationDays'>>()
  type Body = Static<typeof SnapshotBody>
  expectTypeOf<Pick<Body, 'data'> & { metadata: { category: string } }>().toExtend<SnapshotInput>()
  expectTypeOf<{ metadata: { category: string } }>().not.toExtend<SnapshotInput>()
  expectTypeOf<ListingsQuery['minPrice']>().toEqualTypeOf<bigint | string | undefined>()
  expectTypeOf<ListingsQuery['parent']>().toEqualTypeOf<bigint | number | string | undefined>()
  expectTypeOf<ListingsQuery['limit']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<ListingsQuery['order']>().toEqualTypeOf<'desc' | 'asc' | undefined>()
})
