// The plan tiers of a project (docs/wire/limits.md). The API and the UI offer the same list through contract/choices.ts.

export const PLAN_TIERS = ['free', 'site', 'pro', 'scale'] as const
export type PlanTier = (typeof PLAN_TIERS)[number]
