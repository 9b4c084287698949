import fc from 'fast-check'

// One seed for every property, so that a failure is the same on every machine; FC_SEED explores others.
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_120) })
