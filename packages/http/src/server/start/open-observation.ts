import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config/config.ts'
import { type OutageLog, outageLog } from '../../observability/outage-log.ts'
import { openTracing, type Tracing } from '../../observability/tracing.ts'

type Input = {
  readonly config: Pick<Config, 'tracing'>
  readonly logger: () => FastifyBaseLogger | undefined
}

/** Opens the log of outages, and the traces where a collector is set; registers their end. */
export async function openObservation(
  { config, logger }: Input,
  resources: AsyncDisposableStack,
): Promise<{ readonly outages: OutageLog; readonly tracing: Tracing | undefined }> {
  const outages = outageLog({ logger })
  const onTrouble = (error: unknown) => outages.trouble(error, 'traces cannot be sent')
  const tracing = await openTracing({ settings: config.tracing, onTrouble })
  if (tracing !== undefined) resources.defer(tracing.close)
  return { outages, tracing }
}
