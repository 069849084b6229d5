/** Hosts of a small network, as network namespaces of this machine: ranks on them reach each other by TCP alone. */
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, launcherOf, root, started, withoutOpenMpi } from './mpirun.js';

const NETWORK = '10.93.7';

const ip = (...words: string[]) => spawnSync('ip', words, { encoding: 'utf8' });

/** Why there can be none on this machine, or undefined. */
export function withoutHosts(): string | undefined {
  if (withoutOpenMpi !== undefined) return withoutOpenMpi;
  const name = `lw${process.pid}try`;
  const made = ip('netns', 'add', name);
  if (made.status !== 0) return `no network namespace can be made: ${made.stderr ?? 'ip (iproute2) is not installed'}`;
  ip('netns', 'del', name);
  return undefined;
}

export class Hosts {
  readonly #names: string[];
  readonly #switch: string;
  readonly #agent: string;

  /** `folder` takes the program by which the launcher reaches a host. */
  constructor(count: number, folder: string) {
    const own = (what: string | number) => `lw${process.pid}h${what}`;
    this.#names = Array.from({ length: count }, (_, i) => own(i + 1));
    this.#switch = own('s');
    this.#agent = join(folder, 'agent.sh');
    const inside = (name: string, ...words: string[]) => this.#do('netns', 'exec', name, 'ip', ...words);
    this.#do('netns', 'add', this.#switch);
    inside(this.#switch, 'link', 'add', 'bridge', 'type', 'bridge');
    inside(this.#switch, 'link', 'set', 'bridge', 'up');
    for (const [i, name] of this.#names.entries()) {
      this.#do('netns', 'add', name);
      inside(name, 'link', 'add', 'net', 'type', 'veth', 'peer', 'name', `port${i}`, 'netns', this.#switch);
      inside(this.#switch, 'link', 'set', `port${i}`, 'master', 'bridge', 'up');
      inside(name, 'addr', 'add', `${NETWORK}.${i + 1}/24`, 'dev', 'net');
      inside(name, 'link', 'set', 'net', 'up');
      inside(name, 'link', 'set', 'lo', 'up');
    }
    // Called as ssh would be: options, an address, then a command for a shell there.
    const prefix = this.#names[0]!.slice(0, -1);
    const enter = (name: string, command: string) =>
      `exec ip netns exec ${name} unshare --uts sh -c "hostname ${name}; ${command}"`;
    const lines = ['#!/bin/bash', 'while [[ "$1" == -* ]]; do shift; done', `host=${prefix}\${1##*.}`, 'shift'];
    writeFileSync(this.#agent, [...lines, enter('$host', '$*'), ''].join('\n'));
    chmodSync(this.#agent, 0o755);
  }

  #do(...words: string[]): void {
    const { status, stderr } = ip(...words);
    if (status !== 0) throw new Error(`ip ${words.join(' ')}: ${stderr}`);
  }

  /** A program on one rank a host. */
  run(words: readonly string[]): Promise<Ended> {
    const addresses = this.#names.map((_, i) => `${NETWORK}.${i + 1}:1`);
    const mca = {
      plm_rsh_agent: this.#agent,
      btl: 'tcp,self',
      // A rank a host, but of fewer cores than hosts: one that waits lets others run.
      mpi_yield_when_idle: '1',
      btl_tcp_if_include: `${NETWORK}.0/24`,
      oob_tcp_if_include: `${NETWORK}.0/24`,
    };
    const command = [
      launcherOf('Open MPI')!,
      ...['-np', String(addresses.length), '--allow-run-as-root', '--bind-to', 'none', '--map-by', 'node'],
      ...['-host', addresses.join(','), '-x', 'PATH'],
      ...Object.entries(mca).flatMap(([key, value]) => ['--mca', key, value]),
      process.execPath,
      ...words,
    ];
    const first = this.#names[0]!;
    const inside = `hostname ${first}; exec ${command.map(word => `'${word}'`).join(' ')}`;
    return started('ip', ['netns', 'exec', first, 'unshare', '--uts', 'sh', '-c', inside], root).ended;
  }

  /** Bytes that each host has sent so far, headers of packets included. */
  sent(): number[] {
    return this.#names.map(
      name => JSON.parse(ip('-n', name, '-s', '-j', 'link', 'show', 'net').stdout)[0].stats64.tx.bytes,
    );
  }

  close(): void {
    for (const name of [...this.#names, this.#switch]) ip('netns', 'del', name);
  }
}
