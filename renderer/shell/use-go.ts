// Going to a screen: those of a tenant get the current one.
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useCurrentTenant } from '../parts/current-tenant.ts'
import { isTenantAddress, type Screen } from './screens.tsx'

export function useGo(): (screen: Pick<Screen, 'to'>) => void {
  const navigate = useNavigate()
  const tenant = useCurrentTenant()
  return useCallback(
    ({ to }) => {
      if (!isTenantAddress(to)) void navigate({ to })
      else if (tenant !== undefined) void navigate({ to, params: { tenant } })
      else void navigate({ to: '/tenants' })
    },
    [navigate, tenant],
  )
}
