import type { Module } from '../module.ts';
import { type Secrets, type SecretsPorts, secretsService } from './service.ts';

/** What is stored sealed, and the rotation of the key for it; the other modules seal through this one. */
export function secretsModule(ports: SecretsPorts): Module<Secrets> {
  return { service: secretsService(ports), routes: [], jobs: [] };
}
