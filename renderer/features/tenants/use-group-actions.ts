// What changes groups and tenants, through the platform's own routes. What they refuse is told; what they changed is read again.
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReadyLine } from '../../../emulator/contract/addresses.ts'
import { getJson } from '../../api/client.ts'
import {
  changePlan,
  mintGroupKey,
  type NewGroupKey,
  type PlanTier,
  type ProvisionedTenant,
  provisionTenant,
  publishTemplate,
  purgeTenant,
  removeTenant,
  renameGroup,
  revokeGroupKey,
  type TenantOrder,
} from '../../api/groups.ts'
import { regenerateKeys } from '../../api/tokens.ts'
import { formatNumber } from '../../ui/format.ts'
import { showToast } from '../../ui/toast.tsx'

export interface GroupActions {
  readonly mint: UseMutationResult<NewGroupKey, Error, string>
  readonly revoke: UseMutationResult<void, Error, string>
  readonly rename: UseMutationResult<void, Error, string>
  readonly plan: UseMutationResult<
    void,
    Error,
    { readonly projectId: string; readonly plan: PlanTier }
  >
  readonly publish: UseMutationResult<unknown, Error, void>
  readonly provision: UseMutationResult<ProvisionedTenant, Error, TenantOrder>
}

export function useGroupActions(groupId: string): GroupActions {
  const renew = useRenew()
  return {
    mint: useMutation({
      mutationFn: (label: string) => mintGroupKey(groupId, label === '' ? undefined : label),
      onSuccess: renew,
    }),
    revoke: useMutation({
      mutationFn: (keyId: string) => revokeGroupKey(groupId, keyId),
      onSuccess: renew,
      onError: tell,
    }),
    rename: useMutation({
      mutationFn: (name: string) => renameGroup(groupId, name),
      onSuccess: renew,
      onError: tell,
    }),
    plan: useMutation({
      mutationFn: ({ projectId, plan }: { readonly projectId: string; readonly plan: PlanTier }) =>
        changePlan(projectId, plan),
      onSuccess: renew,
      onError: tell,
    }),
    publish: useMutation({
      mutationFn: () => publishTemplate(groupId),
      onSuccess: ({ slug, tables, tenantsOnOlderVersion: older }) => {
        showToast({
          title: `${slug} is published`,
          detail: `${formatNumber(tables)} tables. ${formatNumber(older)} existing tenants stay on the earlier version.`,
          tone: 'allowed',
        })
        return renew()
      },
      onError: tell,
    }),
    provision: useMutation({
      mutationFn: (order: TenantOrder) => provisionTenant(groupId, order),
      onSuccess: renew,
    }),
  }
}

export interface TenantActions {
  readonly remove: UseMutationResult<void, Error, string>
  readonly purge: UseMutationResult<unknown, Error, string>
  /** By the project's id. */
  readonly regenerate: UseMutationResult<unknown, Error, string>
}

/** `onGone` is called when the tenant can no longer be shown. */
export function useTenantActions(groupId: string, onGone: () => void): TenantActions {
  const renew = useRenew()
  return {
    remove: useMutation({
      mutationFn: (slug: string) => removeTenant(groupId, slug),
      onSuccess: (_, slug) => {
        showToast({
          title: `${slug} was removed`,
          detail: 'Its data is kept until it is purged.',
        })
        onGone()
        return renew()
      },
      onError: tell,
    }),
    purge: useMutation({
      mutationFn: (slug: string) => purgeTenant(groupId, slug),
      onSuccess: ({ isPending, buckets, objects }, slug) => {
        showToast(
          isPending
            ? { title: `${slug} is being purged`, detail: 'Access has ended; erasure goes on.' }
            : {
                title: `${slug} was purged`,
                detail: `With ${formatNumber(buckets)} buckets and ${formatNumber(objects)} files.`,
              },
        )
        onGone()
        return renew()
      },
      onError: tell,
    }),
    regenerate: useMutation({
      mutationFn: async (projectId: string) => {
        const info = await getJson<ReadyLine>('/info')
        return regenerateKeys(info.platform.session_token, projectId)
      },
      onSuccess: () => {
        showToast({
          title: 'New keys',
          detail: 'Every token of the old ones is refused from now on.',
        })
        return renew()
      },
      onError: tell,
    }),
  }
}

function useRenew(): () => Promise<unknown> {
  const queries = useQueryClient()
  return () =>
    Promise.all(['overview', 'info'].map((root) => queries.invalidateQueries({ queryKey: [root] })))
}

function tell(error: Error): void {
  const hint: unknown = Reflect.get(error, 'hint')
  showToast({
    title: 'The platform refused',
    detail: typeof hint === 'string' ? `${error.message} ${hint}` : error.message,
    tone: 'refused',
  })
}
