import { platformSetup, type Setup } from 'tenantry/vitest/setup'

export const setup: Setup = platformSetup({ sql: ['schema.sql'] })
