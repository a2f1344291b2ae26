import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Course } from '../../src/mcp/course.js';

/** A course on a clock that stands still but for `pass`. */
function bench(context: TestContext) {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 5_000;
  context.mock.method(performance, 'now', () => now);
  const course = new Course(1);
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    context.mock.timers.tick(ms);
    await new Promise(setImmediate);
  };
  return {
    course,
    pass,
    /** How long the next stream has to wait. */
    async pauseMs(): Promise<number> {
      let open = false;
      const turn = course.turn().then(() => {
        open = true;
      });
      await new Promise(setImmediate);
      let ms = 0;
      for (; !open; ms += 500) await pass(500);
      await turn;
      return ms;
    },
  };
}

test('the first stream is opened at once, and later ones after a pause that grows while nothing comes', async (context) => {
  const { course, pauseMs } = bench(context);
  const pauses: number[] = [];
  for (let round = 0; round < 8; round += 1) {
    pauses.push(await pauseMs());
    course.ended();
  }
  assert.deepEqual(pauses, [0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  assert.equal(course.exhausted, false);
  for (let round = 8; round < 20; round += 1) course.ended();
  assert.equal(course.exhausted, true);
});

test('a message, or a stream that stays open, begins the count again', async (context) => {
  const { course, pass, pauseMs } = bench(context);
  const fail = (times: number): void => {
    for (let time = 0; time < times; time += 1) course.ended();
  };
  fail(19);
  course.fruitful();
  course.ended();
  assert.equal(await pauseMs(), 1_000);
  fail(19);
  await pauseMs();
  await pass(10_000);
  course.ended();
  assert.equal(await pauseMs(), 1_000);
  fail(19);
  assert.equal(course.exhausted, false);
  fail(1);
  assert.equal(course.exhausted, true);
});

test('a server may ask for a longer pause than ours, up to half a minute, and not for a shorter one', async (context) => {
  const { course, pauseMs } = bench(context);
  course.ended(5_000);
  assert.equal(await pauseMs(), 5_000);
  course.fruitful();
  course.ended();
  assert.equal(await pauseMs(), 5_000);
  for (const [retryMs, expected] of [
    [3_600_000, 30_000],
    [Number.MAX_VALUE, 30_000],
    [0, 1_000],
  ] as const) {
    course.fruitful();
    course.ended(retryMs);
    assert.equal(await pauseMs(), expected);
  }
});

test('whoever gives up is not held up by the pause', async (context) => {
  const { course } = bench(context);
  course.ended();
  const turn = course.turn();
  course.giveUp();
  await turn;
});
