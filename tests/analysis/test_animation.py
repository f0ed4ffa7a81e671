"""Animations show the stored motions: positions, distances and duration."""

import argparse
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from rigidlimit.analysis import __main__ as command
from rigidlimit.analysis import animation, bodies_space
from rigidlimit.analysis.animation import AnimationOptions, animate, film_of, scene_of
from rigidlimit.analysis.animation_frames import chosen_factor, frame_times, largest_shift, pair_of
from rigidlimit.analysis.animation_scene import Scene, box_of, extent
from rigidlimit.analysis.bodies import round_down
from rigidlimit.analysis.bodies_catalogue import PICTURES
from rigidlimit.analysis import open_result
from rigidlimit.analysis.store import RollingResult
from rigidlimit.analysis.tables import AnalysisError
from made_pairs import ROLLING, compliant_q, write_store
from programs import needed_program

SHORT = AnimationOptions(fps=4.0, seconds=1.0)  # five frames


def stored(directory: Path, system: str, **options: float | bool | str) -> RollingResult:
    return open_result(write_store(directory / system, system, ROLLING[system], **options))


@pytest.fixture
def knife_edge(tmp_path: Path) -> RollingResult:
    return stored(tmp_path, "knife_edge")


def words_of(scene: Scene) -> list[str]:
    return [text.get_text() for text in scene.figure.texts]


@pytest.fixture(scope="module", params=sorted(ROLLING))
def any_system(request: pytest.FixtureRequest,
               tmp_path_factory: pytest.TempPathFactory) -> RollingResult:
    return stored(tmp_path_factory.mktemp("systems"), request.param)


# --- Frames in time


@pytest.mark.parametrize(
    ("seconds", "speed", "count", "last", "found_speed"),
    [(None, None, 61, 3.0, 0.5),   # six seconds of animation
     (2.0, None, 21, 3.0, 1.5),
     (None, 1.0, 31, 3.0, 1.0),
     (2.0, 1.0, 21, 2.0, 1.0),     # both options: the beginning of the motion
     (9.0, 1.0, 31, 3.0, 1.0)])
def test_frames_are_uniform_in_time(seconds: float | None, speed: float | None, count: int,
                                    last: float, found_speed: float) -> None:
    """Ten frames per second over three seconds of motion."""
    times, found = frame_times(0.0, 3.0, 10.0, seconds, speed)
    assert len(times) == count and found == pytest.approx(found_speed)
    assert times == pytest.approx(np.linspace(0.0, last, count))


@pytest.mark.parametrize("options", [{"fps": 0.0}, {"fps": float("nan")}, {"seconds": -1.0},
                                     {"speed": 0.0}, {"speed": 1e-9}, {"speed": 1e9}])
def test_impossible_durations_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(AnalysisError, match="fps|seconds|speed"):
        frame_times(0.0, 3.0, **{"fps": 10.0, "seconds": None, "speed": None, **options})


def test_stored_times_are_not_interpolated(knife_edge: RollingResult) -> None:
    """The grid has 41 times. At 20 frames per second the frames are at these times; frames between them are
    on straight lines."""
    film, _, speed = film_of(knife_edge, AnimationOptions(fps=20.0, speed=1.0))
    motion = knife_edge.motion("compliant", epsilon=0.1)
    assert speed == 1.0 and film.frames.times == pytest.approx(motion.times)
    for k in range(41):
        assert film.compliant_pose(k) == pytest.approx(motion.q[:, k], abs=1e-15)
    finer, _, _ = film_of(knife_edge, AnimationOptions(fps=40.0, speed=1.0))
    middle = 0.5 * (motion.q[:, 7] + motion.q[:, 8])
    assert finer.compliant_pose(15) == pytest.approx(middle, abs=1e-15)
    assert finer.compliant_pose(15) != pytest.approx(
        compliant_q(ROLLING["knife_edge"], finer.frames.times[15:16], 0.1)[:, 0], abs=1e-6)


def test_a_stopped_solve_is_shown_up_to_its_end(tmp_path: Path) -> None:
    film, _, _ = film_of(stored(tmp_path, "wheel", reached=1.02), AnimationOptions())
    assert film.frames.times[-1] == pytest.approx(1.0)
    with pytest.raises(AnalysisError, match="start"):
        film_of(stored(tmp_path / "less", "wheel", reached=0.01), AnimationOptions())


def test_differences_keep_the_digits_of_113_bits(knife_edge: RollingResult) -> None:
    """Equal doubles whose remainders differ by 1e-20 differ by 1e-20, not 0."""
    rigid, compliant = knife_edge.motion("rigid"), knife_edge.motion("compliant", epsilon=0.1)
    q = rigid.at(compliant.times).q
    quad = replace(compliant, samples={**compliant.samples, "q": q,
                                       "q.rest": np.full_like(q, 1e-20)})
    exact = replace(rigid, samples={**rigid.samples, "q.rest": np.zeros_like(rigid.q)})
    pair = pair_of(PICTURES["knife_edge"], {}, exact, quad)
    assert pair.difference == pytest.approx(np.full_like(q, 1e-20), rel=1e-12)
    assert pair_of(PICTURES["knife_edge"], {}, rigid, quad).difference.max() == 0.0


# --- Exaggeration


@pytest.mark.parametrize("factor", [0.0, 1.0, 7.0])
def test_differences_are_multiplied(knife_edge: RollingResult, factor: float) -> None:
    """compliant = rigid + eps^2 t, so the picture shows rigid + factor eps^2 t."""
    film, _, _ = film_of(knife_edge, AnimationOptions(exaggerate=factor, epsilon=0.01))
    for k in (0, 60, len(film) - 1):
        t = film.frames.times[k]
        assert film.compliant_pose(k) - film.rigid_pose(k) == pytest.approx(
            np.full(3, factor * 1e-4 * t), abs=1e-14)


def test_rotations_are_multiplied() -> None:
    """The factor multiplies the angle of an attitude about the same axis, for differences down to 1e-18."""
    p = np.array([0.5, -0.5, 0.5, 0.5])
    axis = np.array([0.6, 0.0, 0.8])
    for angle in (0.3, 1e-9, 1e-18):
        turn = np.array([-2.0 * np.sin(0.25 * angle)**2, *(np.sin(0.5 * angle) * axis)])  # less 1
        difference = bodies_space.times(turn, p)
        thrice = np.array([np.cos(1.5 * angle), *(np.sin(1.5 * angle) * axis)])
        found = bodies_space.turned_further(p, difference, 3.0)
        assert found == pytest.approx(bodies_space.times(thrice, p), abs=1e-15)
        # A difference below round-off of the sum still rotates the body, by 1/angle.
        far = bodies_space.turned_further(p, difference, 1.0 / angle)
        radian = np.array([np.cos(0.5), *(np.sin(0.5) * axis)])
        assert far == pytest.approx(bodies_space.times(radian, p), abs=1e-12)
    assert bodies_space.turned_further(p, np.zeros(4), 5.0) == pytest.approx(p)


def test_the_default_factor_limits_the_drawn_distance(any_system: RollingResult) -> None:
    """The distance of contacts and traced points is then at most a twentieth of the picture, to first order,
    and more than a fiftieth: the next round number is at most 2.5 times as large."""
    film, _, _ = film_of(any_system, replace(SHORT, exaggerate=None, epsilon=0.01))
    plain = replace(film, factor=0.0)
    way = film.factor * largest_shift(film.picture, film.parameters, film.frames)
    assert 0.02 * extent(box_of(plain)) < way <= 0.05 * extent(box_of(plain))
    assert film.factor > 1.0


def test_factors_are_round() -> None:
    assert [round_down(x) for x in (1.0, 1.9, 2.0, 4.9, 7.0, 0.03, 99.0)] == [
        1.0, 1.0, 2.0, 2.0, 5.0, 0.02, 50.0]
    assert chosen_factor(1.0, 2.0) == 1.0, "the factor never reduces a difference"
    assert chosen_factor(0.0, 2.0) == 1.0


# --- What is drawn


def test_bodies_are_drawn_where_they_are(knife_edge: RollingResult) -> None:
    """The middle of each blade is at its (x, y), and the clock shows the time."""
    scene = scene_of(knife_edge, AnimationOptions(exaggerate=3.0, fps=20.0, speed=1.0))
    for k in (0, 13, 40):
        scene.show(k)
        t = scene.film.frames.times[k:k + 1]
        rigid = ROLLING["knife_edge"].motion(t)[:2, 0]
        for compliant, expected in ((False, rigid), (True, rigid + 3.0 * 0.01 * t[0])):
            blade = scene.bodies[compliant].artists[1]
            assert np.mean(blade.get_data(), axis=1) == pytest.approx(expected, abs=1e-12)
        assert scene.clock.get_text() == f"t = {t[0]:7.3f} s"
    words = " ".join(words_of(scene))
    assert "difference × 3" in words and "ε = 0.1" in words and "linear" in words


def test_plain_difference_is_not_labelled(knife_edge: RollingResult) -> None:
    assert not [words for words in words_of(scene_of(knife_edge, SHORT)) if "difference" in words]


def test_long_titles_end_before_the_label(tmp_path: Path) -> None:
    """A title of 120 letters ends where the label begins."""
    study = replace(stored(tmp_path, "wheel"), name="w" * 120)
    scene = scene_of(study, replace(SHORT, exaggerate=3.0))
    scene.figure.canvas.draw()
    ends = {text.get_text()[:4]: text.get_window_extent() for text in scene.figure.texts}
    assert ends["wwww"].x1 < ends["diff"].x0 and ends["wwww"].width > 400.0


@pytest.mark.parametrize(("status", "label"), [("", "difference × 3"), ("ok", "difference × 3"),
                                               ("solver_limited", "difference × 3 (solver_limited)")])
def test_the_label_names_the_error_status(tmp_path: Path, status: str, label: str) -> None:
    """The label has the status of q, not of another quantity."""
    study = stored(tmp_path, "knife_edge", status=status)
    assert label in words_of(scene_of(study, replace(SHORT, exaggerate=3.0)))


def test_every_system_is_drawn_inside_its_picture(any_system: RollingResult) -> None:
    """First, middle and last frame: all curves are within the limits and both colours are visible."""
    scene = scene_of(any_system, replace(SHORT, forces=True, exaggerate=None))
    axis = scene.figure.axes[0]
    low, high = np.array([axis.get_xlim(), axis.get_ylim()]).T
    assert high - low == pytest.approx(
        (high - low)[0] * axis.get_window_extent().size / axis.get_window_extent().width, rel=1e-9)
    for k in (0, 2, 4):
        scene.show(k)
        for compliant in (False, True):
            for shape in scene.shapes(compliant, k):
                inside = (shape.points >= low[:, None]) & (shape.points <= high[:, None])
                assert np.all(inside | np.isnan(shape.points))
    scene.figure.canvas.draw()
    pixels = np.asarray(scene.figure.canvas.buffer_rgba())[..., :3].astype(int)
    panel = pixels[80:-60]  # without the texts
    for colour in ((0x00, 0x72, 0xB2), (0xD5, 0x5E, 0x00)):
        assert np.sum(np.abs(panel - colour).sum(axis=2) < 30) > 30
    assert pixels.shape[0] % 2 == 0 and pixels.shape[1] % 2 == 0, "as H.264 needs"


def test_arrows_show_the_forces(knife_edge: RollingResult) -> None:
    """lambda = cos t points right of the heading; all arrows have one scale, and the note gives the longest."""
    scene = scene_of(knife_edge, AnimationOptions(forces=True, fps=20.0, speed=1.0))
    arrows = {c: mover for c, mover in zip((False, True), scene.moving[2:])}
    for k in (0, 10, 35):
        t = scene.film.frames.times[k]
        scale = np.hypot(*arrows[False].arrows[0][:, 0])
        heading = scene.film.rigid_pose(k)[2]
        expected = -scale * np.cos(t) * np.array([-np.sin(heading), np.cos(heading)])
        assert arrows[False].arrows[k][:, 0] == pytest.approx(expected, abs=1e-12)
    assert any("longest arrow 1 N" in words for words in words_of(scene))


def test_a_realisation_without_contact_force_has_a_note(tmp_path: Path) -> None:
    """The picture shows the motion, and a note gives the absence of a contact force."""
    scene = scene_of(stored(tmp_path, "knife_edge", pushed=False), replace(SHORT, forces=True))
    scene.show(4)
    assert scene.film.frames.times[-1] == pytest.approx(2.0)
    assert any("no contact force" in words for words in words_of(scene))
    scene.figure.canvas.draw()


# --- Files


def asked(directory: Path, *arguments: str) -> list[Path]:
    parser = argparse.ArgumentParser()
    animation.add_arguments(parser)
    return animation.run(directory, parser.parse_args(arguments))


def test_a_gif_has_the_given_frame_rate(knife_edge: RollingResult) -> None:
    """At 25 frames per second a frame lasts 40 ms, and the frames differ."""
    path = animate(knife_edge, options=AnimationOptions(seconds=0.16))
    assert path == knife_edge.directory / "animation.gif"
    with Image.open(path) as film:
        assert film.n_frames == 5 and film.info["duration"] == 40
        first = np.asarray(film.convert("RGB"))
        film.seek(4)
        last = np.asarray(film.convert("RGB"))
    assert np.any(first != last)
    for frame in (first, last):  # 64 colours suffice: background and both bodies
        assert np.all(frame[0, 0] == 255)
        for colour in ((0x00, 0x72, 0xB2), (0xD5, 0x5E, 0x00)):
            assert np.abs(frame.astype(int) - colour).sum(axis=2).min() <= 12
    assert [p.name for p in knife_edge.directory.glob("*part*")] == []


def test_a_gif_allows_only_some_frame_rates() -> None:
    """A frame lasts whole hundredths of a second, at least two."""
    rates = [animation.gif_rate(fps) for fps in (25.0, 20.0, 50.0, 200.0)]
    assert rates == [25.0, 20.0, 50.0, 50.0]
    assert animation.gif_rate(30.0) == pytest.approx(100.0 / 3.0)


def test_an_mp4_is_written(knife_edge: RollingResult, tmp_path: Path) -> None:
    ffmpeg = needed_program("ffmpeg", package="ffmpeg")
    path = animate(knife_edge, tmp_path / "film.mp4", AnimationOptions(seconds=0.4))
    said = subprocess.run([ffmpeg, "-hide_banner", "-i", path, "-f", "null", "-"], check=True,
                          capture_output=True, text=True).stderr
    assert "h264" in said and "yuv420p" in said and "25 fps" in said
    assert "frame=   11" in said


def test_without_ffmpeg_it_names_the_package(knife_edge: RollingResult,
                                             monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(animation.FFMpegWriter, "isAvailable", classmethod(lambda cls: False))
    film = knife_edge.directory / "film.mp4"
    with pytest.raises(AnalysisError, match="apt-get install ffmpeg"):
        asked(knife_edge.directory, "-o", str(film))
    assert not film.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["-o", "film.avi"], r"\.gif.*\.mp4"), (["--epsilon", "0.5"], "0.1, 0.01"),
     (["--law", "viscous"], "law viscous"), (["--exaggerate", "-1"], ">= 0"),
     (["--exaggerate", "nan"], ">= 0"), (["--rigid-solver", "radau"], "solver = radau")])
def test_unknown_arguments_are_refused(knife_edge: RollingResult, arguments: list[str], said: str) -> None:
    with pytest.raises(AnalysisError, match=said):
        asked(knife_edge.directory, *arguments)


def test_a_system_without_a_picture_is_refused(tmp_path: Path) -> None:
    write_store(tmp_path / "own", "bowl_skate", ROLLING["knife_edge"])
    with pytest.raises(AnalysisError, match="'bowl_skate'.*knife_edge"):
        asked(tmp_path / "own")
    with pytest.raises(AnalysisError, match=r"animate\(study, picture=yours\)"):
        asked(tmp_path / "own")


def test_a_user_defined_system_uses_the_given_picture(tmp_path: Path) -> None:
    """With the picture of a blade, as the message suggests, the system moves like a blade."""
    write_store(tmp_path / "own", "bowl_skate", ROLLING["knife_edge"])
    film = animate(tmp_path / "own", tmp_path / "own.gif", AnimationOptions(fps=10.0, seconds=0.4),
                   picture=PICTURES["knife_edge"])
    with Image.open(film) as frames:
        assert frames.n_frames == 5


def test_bodies_are_side_by_side_on_the_same_scales(knife_edge: RollingResult, tmp_path: Path) -> None:
    """The rigid body is in the left panel, the compliant one in the right; both show the same box."""
    film = tmp_path / "film.gif"
    assert asked(knife_edge.directory, "-o", str(film), "--layout", "beside", "--fps", "10", "--seconds", "0.2",
                 "--exaggerate", "3", "--forces") == [film]
    scene = scene_of(knife_edge, replace(SHORT, layout="beside", exaggerate=3.0))
    left, right = scene.figure.axes
    assert left.get_xlim() == right.get_xlim() and left.get_ylim() == right.get_ylim()
    assert left.get_window_extent().size == pytest.approx(right.get_window_extent().size)
    for axis, compliant in ((left, False), (right, True)):
        assert set(scene.bodies[compliant].artists) <= {*axis.lines, *axis.patches}
    scene.show(4)
    names = {text.get_text().split(" (")[0]: text.get_window_extent() for text in scene.figure.texts}
    assert names["rigid"].x0 == pytest.approx(left.get_window_extent().x0)
    assert names["compliant"].x0 == pytest.approx(right.get_window_extent().x0)
    assert "ε = 0.1" in words_of(scene)[1] + words_of(scene)[0] and "difference × 3" in words_of(scene)
    with Image.open(film) as frames:
        assert frames.n_frames == 3 and frames.width % 2 == 0 and frames.height % 2 == 0, "as H.264 needs"
    with pytest.raises(AnalysisError, match="layout must be one of overlay, beside, not 'above'"):
        scene_of(knife_edge, replace(SHORT, layout="above"))


def test_the_command_passes_its_options(knife_edge: RollingResult, tmp_path: Path) -> None:
    """The options reach the animation."""
    film = tmp_path / "film.gif"
    assert asked(knife_edge.directory, "-o", str(film), "--exaggerate", "auto", "--fps", "10",
                 "--seconds", "0.4", "--forces", "--epsilon", "0.01") == [film]
    with Image.open(film) as frames:
        assert frames.n_frames == 5 and frames.info["duration"] == 100


def test_animate_is_a_command(knife_edge: RollingResult, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["animate", str(knife_edge.directory), "--epsilon", "0.5"]) == 2
    assert "analysis: no epsilon = 0.5; known are 0.1, 0.01" in capsys.readouterr().err
    assert command.main(["animate", str(knife_edge.directory), "--seconds", "0.08"]) == 0
    assert capsys.readouterr().out.strip() == str(knife_edge.directory / "animation.gif")


def test_epsilon_may_be_rounded() -> None:
    known = [0.1, 0.0316227766016838, 0.01]
    assert animation.nearest(known, 0.0316) == known[1]
    with pytest.raises(AnalysisError, match="0.03162"):
        animation.nearest(known, 0.033)


def test_an_interrupted_animation_leaves_no_file(knife_edge: RollingResult,
                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    shown = animation.Scene.show

    def stop(scene: animation.Scene, k: int) -> None:
        if k == 2:
            raise KeyboardInterrupt
        shown(scene, k)

    monkeypatch.setattr(animation.Scene, "show", stop)
    with pytest.raises(KeyboardInterrupt):
        animate(knife_edge, options=SHORT)
    assert sorted(p.name for p in knife_edge.directory.iterdir()) == ["results.db"]
