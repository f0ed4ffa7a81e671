"""Pictures of bodies roll when the bodies roll, and their arrows are the contact forces."""

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from rigidlimit.analysis import bodies_gears, bodies_space
from rigidlimit.analysis.bodies import Shape
from rigidlimit.analysis.bodies_catalogue import PICTURES
from made_pairs import DUMBBELL, ROLLING

SYSTEMS = Path(__file__).resolve().parents[2] / "src" / "rigidlimit" / "systems"


def perpendicular(angle: float, *rest: float) -> list[float]:
    """The row of G of a blade: leftward velocity plus lever times turning rate."""
    return [-np.sin(angle), np.cos(angle), *rest]


def dumbbell_rows(q: np.ndarray) -> np.ndarray:
    a, b, front, back = DUMBBELL["front_angle"], DUMBBELL["back_angle"], 0.3, 0.5
    return np.array([perpendicular(q[2] + a, front * np.cos(a)),
                     perpendicular(q[2] + b, -back * np.cos(b))])


def chain_rows(q: np.ndarray) -> np.ndarray:
    rows = np.zeros((3, 9))
    for i in range(3):
        rows[i, 3 * i:3 * i + 3] = perpendicular(q[3 * i + 2], 0.0)
    return rows


def gear_rows(q: np.ndarray) -> np.ndarray:
    rows = np.zeros((6, 5))
    for k in range(3):
        rows[k, [0, 1, 2 + k]] = -0.3, 0.5, -0.2
        rows[3 + k, [1, 2 + k]] = 0.5, 0.2
    return rows


def driven_rows(q: np.ndarray) -> np.ndarray:
    """With the column of the clock, the velocity of the driven ring."""
    rows = np.zeros((12, 9))
    for k in range(6):
        rows[k, [1, 2 + k, 8]] = 0.06, -0.01, -0.05 * (1.0 + 0.2 * np.sin(5.0 * q[8]))
        rows[6 + k, [0, 1, 2 + k]] = -0.07, 0.06, 0.01
    return rows


# G(q) of the planar systems, from src/rigidlimit/systems, with the parameters of ROLLING. The picture of
# the groove does not show rotation about the normal of the slope, so this column is 0.
ROWS = {
    "knife_edge": lambda q: np.array([perpendicular(q[2], 0.0)]),
    "chaplygin_sleigh": lambda q: np.array([perpendicular(q[2], 0.0)]),
    "sleigh_chain": chain_rows,
    "two_blade_dumbbell": dumbbell_rows,
    "snakeboard": lambda q: np.array([
        perpendicular(q[2] + q[4], -0.2 * np.cos(q[4]), 0.0, 0.0),
        perpendicular(q[2] - q[4], 0.2 * np.cos(q[4]), 0.0, 0.0)]),
    "nonholonomic_particle": lambda q: np.array([[-q[2], 1.0, 0.0]]),
    "wheel": lambda q: np.array([[1.0, -0.25]]),
    "v_groove_ball": lambda q: np.array([
        [1.0, 0.0, -0.1 * np.cos(0.7), 0.0], [0.0, 0.1, 0.0, 0.0],
        [1.0, 0.0, -0.1 * np.cos(0.7), 0.0], [0.0, 0.1, 0.0, 0.0]]),
    "race_roller": lambda q: np.array([[-0.2, 0.25, -0.05, 0.0], [0.0, 0.25, 0.05, -0.3]]),
    "epicyclic_gear": gear_rows,
    "driven_bearing": driven_rows,
}

# For each contact: the curve of the body that feels the force, and the curve that exerts it (None: a fixed
# one). Numbers are indices of the shapes of a picture.
PARTS = {
    "knife_edge": [(0, None)],
    "chaplygin_sleigh": [(0, None)],
    "sleigh_chain": [(0, None), (3, None), (6, None)],
    "two_blade_dumbbell": [(0, None), (0, None)],
    "snakeboard": [(0, None), (0, None)],
    "nonholonomic_particle": [(0, None)],
    "wheel": [(0, None)],
    "v_groove_ball": [(0, None), (2, None), (2, None)],
    "race_roller": [(3, 0), (3, 6)],
    "epicyclic_gear": [(2, 0), (4, 0), (6, 0), (2, None), (4, None), (6, None)],
    "driven_bearing": [(6 + 2 * k, ring) for ring in (0, 4) for k in range(6)],
}


def pose_at(system: str, q: np.ndarray) -> np.ndarray:
    """The pose of a motion with the start of ROLLING; the picture of the groove shows this start."""
    start = ROLLING[system].motion(np.zeros(1))
    return PICTURES[system].pose(np.column_stack([start, q]), ROLLING[system].parameters)[:, 1]


def shapes_at(system: str, q: np.ndarray) -> list[Shape]:
    return PICTURES[system].shapes(pose_at(system, q), ROLLING[system].parameters, 0.5)


def velocity_of(system: str, q: np.ndarray, v: np.ndarray, part: int | None,
                point: np.ndarray) -> np.ndarray:
    """Velocity of the material point at `point`, from the motion of the curve `part`: the affine map between
    its positions a little later and a little earlier."""
    if part is None:
        return np.zeros(2)
    h = 1e-5
    now, later, earlier = (shapes_at(system, q + x * v)[part].points for x in (0.0, h, -h))
    there = np.isfinite(now[0])
    base = np.vstack([now[:, there], np.ones(there.sum())])
    rates = ((later - earlier) / (2.0 * h))[:, there]
    # The bar of the dumbbell is a line: the least-norm map omits the undetermined part.
    return rates @ np.linalg.pinv(base, rcond=1e-9) @ [*point, 1.0]


def power(system: str, q: np.ndarray, v: np.ndarray, force: np.ndarray) -> float:
    """Power of the drawn forces on the sliding of the drawn contacts, W."""
    picture, parameters, pose = PICTURES[system], ROLLING[system].parameters, pose_at(system, q)
    feet = picture.contacts(pose, parameters).T
    pushes = picture.pushes(pose, parameters, force).T
    return sum(push @ (velocity_of(system, q, v, pushed, foot)
                       - velocity_of(system, q, v, pusher, foot))
               for foot, push, (pushed, pusher) in zip(feet, pushes, PARTS[system], strict=True))


@pytest.mark.parametrize("system", ROWS)
def test_the_drawn_forces_have_the_power_of_the_contacts(system: str) -> None:
    """The power is -lambda'G v for every v, so positions, directions and signs of the arrows are right.

    Central differences with h = 1e-5 have errors h^2 |v|^3 < 1e-9 and 1e-16/h < 1e-10.
    """
    rng = np.random.default_rng(7)
    q = ROLLING[system].motion(np.array([0.7]))[:, 0]
    for _ in range(4):
        v, force = rng.normal(size=len(q)), rng.normal(size=ROLLING[system].contacts)
        if system == "v_groove_ball":
            force[2] = 0.3 * force[0]
        expected = -force @ ROWS[system](q) @ v
        assert abs(expected) > 1e-3, "a power well above zero"
        assert power(system, q, v, force) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("system", ROWS)
def test_rolling_contacts_have_no_power(system: str) -> None:
    """In a rolling motion the drawn contacts do not slide; a drifting motion is detected."""
    rolling, h = ROLLING[system], 1e-5
    force = np.linspace(1.0, 2.0, rolling.contacts)
    for t in (0.3, 1.1):
        earlier, q, later = rolling.motion(np.array([t - h, t, t + h])).T
        v = (later - earlier) / (2.0 * h)
        assert power(system, q, v, force) == pytest.approx(0.0, abs=1e-8)
        drift = np.linspace(0.1, 0.2, len(q))
        assert abs(power(system, q, v + drift, force)) > 1e-3


@pytest.mark.parametrize("system", sorted(set(ROLLING) - {
    "coin_on_plate", "rolling_coin", "rolling_disk", "rolling_disk_quaternion", "chaplygin_sphere", "rattleback"}))
def test_drawn_bodies_are_rigid(system: str) -> None:
    """Distances between the points of an outline or a mark stay constant, to round-off."""
    start, later = (ROLLING[system].motion(np.array([t]))[:, 0] for t in (0.0, 1.7))
    if system == "sleigh_chain":
        later[3] += 0.3  # only the springs are stretched
    kept = [np.allclose(np.linalg.norm(np.diff(a.points), axis=0),
                        np.linalg.norm(np.diff(b.points), axis=0), atol=1e-12, equal_nan=True)
            for a, b in zip(shapes_at(system, start), shapes_at(system, later), strict=True)
            if a.role != "ground"]
    springs = 2 if system == "sleigh_chain" else 0
    assert all(kept[:len(kept) - springs]) and not any(kept[len(kept) - springs:])


@pytest.mark.parametrize("system", ["wheel", "wheel_euler"])
def test_a_point_of_the_rim_follows_a_cycloid(system: str) -> None:
    """x - r sin phi, r - r cos phi in the axes of the slope, over more than one turn."""
    t = np.linspace(0.0, 3.0, 40)
    rolling, picture = ROLLING[system], PICTURES[system]
    x, phi = ROLLING["wheel"].motion(t)
    assert phi[-1] > 2.0 * np.pi
    c, s = np.cos(0.3), np.sin(0.3)
    along, off = x - 0.25 * np.sin(phi), 0.25 - 0.25 * np.cos(phi)
    poses = picture.pose(rolling.motion(t), rolling.parameters)
    drawn = np.hstack([picture.traced(pose, rolling.parameters) for pose in poses.T])
    assert drawn == pytest.approx(np.array([c * along + s * off, c * off - s * along]), abs=1e-12)


@pytest.mark.parametrize("system", ["rolling_coin", "rolling_disk", "rolling_disk_quaternion"])
def test_discs_roll_in_space(system: str) -> None:
    """The material point at the contact has zero velocity in the picture; that of a disc spinning too fast
    has not. The picture of a plane body is an affine map, as velocity_of assumes."""
    rolling, picture, h = ROLLING[system], PICTURES[system], 1e-5
    for t in (0.3, 1.2):
        earlier, q, later = rolling.motion(np.array([t - h, t, t + h])).T
        v = (later - earlier) / (2.0 * h)
        foot = picture.contacts(q, rolling.parameters)[:, 0]
        assert velocity_of(system, q, v, 0, foot) == pytest.approx(np.zeros(2), abs=1e-8)
        v[0] += 0.1
        assert np.hypot(*velocity_of(system, q, v, 0, foot)) > 1e-2


def test_both_representations_of_the_disc_give_one_picture() -> None:
    """Euler angles and quaternion give the same picture, to round-off."""
    for t in np.array([[0.0], [0.6], [1.9]]):
        one, other = (shapes_at(name, ROLLING[name].motion(t)[:, 0])
                      for name in ("rolling_disk", "rolling_disk_quaternion"))
        for a, b in zip(one, other, strict=True):
            assert a.points == pytest.approx(b.points, abs=1e-12, nan_ok=True)


def test_the_disc_touches_the_plane() -> None:
    rolling = ROLLING["rolling_disk"]
    centre, R = bodies_space.disk_frame(rolling.motion(np.array([0.8]))[:, 0], rolling.parameters)
    angle = np.linspace(0.0, 2.0 * np.pi, 4001)
    rim = centre[:, None] + 0.5 * R @ np.array([np.cos(angle), 0.0 * angle, np.sin(angle)])
    contact = bodies_space.disc_contact(centre, R, 0.5)
    assert contact[2] == pytest.approx(0.0, abs=1e-15)
    # A point of the rim within pi/4000 of the lowest is at most r (pi/4000)^2/2 higher.
    assert rim[2].min() == pytest.approx(0.0, abs=2e-7) and rim[2].max() > 0.9
    assert np.linalg.norm(rim - contact[:, None], axis=0).min() < 1e-3


def test_the_stone_touches_the_plane() -> None:
    """For every attitude no point of the ellipsoid is below the plane, one is in it, and the centre of mass is
    above (x, y)."""
    parameters = ROLLING["rattleback"].parameters
    axes, rng = bodies_space.stone_axes(parameters), np.random.default_rng(3)
    u = rng.normal(size=(3, 20000))
    u /= np.linalg.norm(u, axis=0)
    wrong = []
    for _ in range(5):
        q = np.array([0.3, -0.2, *rng.normal(size=4)])
        centre, contact, R = bodies_space.stone_place(q, parameters)
        surface = centre[:, None] + R @ (axes[:, None] * u)
        assert surface[2].min() > 0.0
        assert contact[2] == pytest.approx(0.0, abs=1e-15)
        assert np.linalg.norm((R.T @ (contact - centre)) / axes) == pytest.approx(1.0, abs=1e-12)
        mass = centre - parameters["depth"] * R[:, 2]
        assert mass[:2] == pytest.approx(q[:2], abs=1e-15)
        wrong.append((centre[:, None] + R @ (axes[[1, 0, 2], None] * u))[2].min())
    assert min(wrong) < -1e-3, "the test detects permuted axes"


def test_the_outline_of_a_ball_is_a_circle() -> None:
    q = ROLLING["chaplygin_sphere"].motion(np.array([0.9]))[:, 0]
    outline, halves = (shape.points for shape in shapes_at("chaplygin_sphere", q))
    middle = bodies_space.seen(np.array([[q[0]], [q[1]], [0.3]]), {})
    assert np.hypot(*(outline - middle)) == pytest.approx(np.full(outline.shape[1], 0.3), abs=1e-12)
    inside = np.hypot(*(halves - middle))
    assert np.nanmax(inside) <= 0.3 + 1e-12 and np.nanmin(inside) < 0.2


def radius_towards(curve: np.ndarray, centre: np.ndarray, direction: float) -> float:
    """Distance at which the ray from the centre leaves a closed curve, m."""
    x, y = curve - centre[:, None]
    angle = np.unwrap(np.arctan2(y, x))
    order = np.argsort(angle)
    turn = angle.min() + (direction - angle.min()) % (2.0 * np.pi)
    return float(np.interp(turn, angle[order], np.hypot(x, y)[order]))


def test_teeth_stay_in_mesh() -> None:
    """On the line of centres a tooth meets a gap: in rolling the sum of the radii (for the ring their
    difference) is the distance of the axes; half a pitch of slip puts tooth on tooth.

    Flanks are chords instead of arcs, with a sagitta below a twentieth of the depth.
    """
    rolling = ROLLING["epicyclic_gear"]
    assert bodies_gears.teeth(rolling.parameters) == (18, 12, 42)
    depth = bodies_gears.tooth_depth(0.3, (18, 12, 42))
    box = np.array([[-1.0, 1.0], [-1.0, 1.0]])
    ring = PICTURES["epicyclic_gear"].ground(rolling.parameters, box, 0.5)[0].points
    ring = ring[:, :np.flatnonzero(np.isnan(ring[0]))[0]]

    def misfit(q: np.ndarray) -> np.ndarray:
        shapes = shapes_at("epicyclic_gear", q)
        centres = bodies_gears.gear_centres(q, rolling.parameters)
        found = []
        for k, direction in enumerate(bodies_gears.planet_angles(q[1])):
            sun = radius_towards(shapes[0].points, centres[0], direction)
            inner, outer = (radius_towards(shapes[2 + 2 * k].points, centres[1 + k], d)
                            for d in (direction + np.pi, direction))
            found += [sun + inner - 0.5, radius_towards(ring, np.zeros(2), direction) - outer - 0.5]
        return np.array(found)

    for t in np.linspace(0.0, 2.0, 23):
        assert misfit(rolling.motion(np.array([t]))[:, 0]) == pytest.approx(
            np.zeros(6), abs=0.05 * depth)
    slipped = rolling.motion(np.array([0.0]))[:, 0]
    slipped[0] += np.pi / 18.0
    assert np.abs(misfit(slipped)[::2]) == pytest.approx(np.full(3, depth), rel=0.05)


def test_gears_without_integer_ratios_have_no_teeth() -> None:
    """Without integers in the ratio of the radii the picture has plain pitch circles."""
    odd = {"sun_radius": 0.3, "planet_radius": 0.2 * np.sqrt(2.0)}
    assert bodies_gears.teeth(odd) is None
    curve = bodies_gears.pitch_curves(odd)[0][0]
    assert np.hypot(*curve) == pytest.approx(np.full(curve.shape[1], 0.3))


def test_every_system_has_a_picture() -> None:
    """A picture uses only parameters of its system. Systems for friction studies only have other figures
    (scripts/plot friction)."""
    known: dict[str, set[str]] = {}
    for path in SYSTEMS.rglob("*.toml"):
        system = tomllib.loads(path.read_text(encoding="utf-8"))
        # Of the systems with contacts, those that state velocities of rolling.
        if "contacts" not in system or "quasi_velocities" in system:
            known[system["name"]] = set(system["parameters"])
    for path in SYSTEMS.rglob("*.cpp"):
        text = path.read_text(encoding="utf-8")
        if "::contacts() const" in text and "::closed_form(" not in text:
            continue
        for name in re.findall(r'\.name = "(\w+)",\s*\.title', text):
            known[name] = set(re.findall(r'"(\w+)"', text))
    assert sorted(PICTURES) == sorted(known) == sorted(ROLLING)
    for name, rolling in ROLLING.items():
        assert set(rolling.parameters) <= known[name], name
