// Inverse kinematics with Pinocchio on the targets that the benchmark wrote: damped least squares (its CLIK example),
// positions clamped to the limits, begun anew from random configurations. Prints solved, median and 99th percentile.
// Built and run by pinocchio_ik.py. Arguments: URDF, base link, tip link, targets, rounds.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/model.hpp>
#include <pinocchio/parsers/urdf.hpp>
#include <pinocchio/spatial.hpp>

namespace pin = pinocchio;

constexpr int restarts = 20;
constexpr int iterations = 100;
constexpr double damping = 1e-6;

struct Solver {
    pin::Model model;
    pin::Data data;
    pin::FrameIndex tip;
    Eigen::Matrix<double, 6, Eigen::Dynamic> jacobian;

    Solver(const pin::Model &reduced, const std::string &tip_link)
        : model(reduced), data(model), tip(model.getFrameId(tip_link)), jacobian(6, model.nv) {}

    bool descend(const pin::SE3 &target, Eigen::VectorXd &q) {
        for (int iteration = 0; iteration < iterations; ++iteration) {
            pin::forwardKinematics(model, data, q);
            const pin::SE3 off = pin::updateFramePlacement(model, data, tip).actInv(target);
            const Eigen::Matrix<double, 6, 1> error = pin::log6(off).toVector();
            if (off.translation().norm() <= 1e-4 && error.tail<3>().norm() <= 1e-3) return true;
            jacobian.setZero();
            pin::computeFrameJacobian(model, data, q, tip, pin::LOCAL, jacobian);
            Eigen::Matrix<double, 6, 6> log_jacobian;
            pin::Jlog6(off.inverse(), log_jacobian);
            jacobian = log_jacobian * jacobian;
            Eigen::Matrix<double, 6, 6> normal = jacobian * jacobian.transpose();
            normal.diagonal().array() += damping;
            q += jacobian.transpose() * normal.ldlt().solve(error);
            q = q.cwiseMax(model.lowerPositionLimit).cwiseMin(model.upperPositionLimit);
        }
        return false;
    }

    bool solve(const pin::SE3 &target, const Eigen::VectorXd &seed) {
        Eigen::VectorXd q = seed;
        for (int restart = 0; restart <= restarts; ++restart) {
            if (descend(target, q)) return true;
            q = pin::randomConfiguration(model);
        }
        return false;
    }
};

int main(int, char **arguments) {
    pin::Model whole;
    pin::urdf::buildModel(arguments[1], whole);
    const std::string base = arguments[2], tip = arguments[3];
    // Only the joints between base and tip move.
    const auto ancestors = [&](const std::string &link) {
        std::set<pin::JointIndex> joints;
        for (pin::JointIndex at = whole.frames[whole.getFrameId(link)].parentJoint; at > 0; at = whole.parents[at])
            joints.insert(at);
        return joints;
    };
    const auto above = ancestors(base), moving = ancestors(tip);
    std::vector<pin::JointIndex> locked;
    for (pin::JointIndex joint = 1; joint < static_cast<pin::JointIndex>(whole.njoints); ++joint)
        if (!moving.count(joint) || above.count(joint)) locked.push_back(joint);
    const Eigen::VectorXd neutral =
        pin::neutral(whole).cwiseMax(whole.lowerPositionLimit).cwiseMin(whole.upperPositionLimit);
    const pin::Model reduced = pin::buildReducedModel(whole, locked, neutral);
    Solver solver(reduced, tip);
    const Eigen::VectorXd seed =
        pin::neutral(reduced).cwiseMax(reduced.lowerPositionLimit).cwiseMin(reduced.upperPositionLimit);
    pin::forwardKinematics(solver.model, solver.data, seed);
    const pin::SE3 root_from_base =
        pin::updateFramePlacement(solver.model, solver.data, solver.model.getFrameId(base));

    std::vector<pin::SE3> targets;
    std::ifstream file(arguments[4]);
    double n[12];
    while (file >> n[0]) {
        for (int index = 1; index < 12; ++index) file >> n[index];
        Eigen::Matrix3d rotation;
        rotation << n[0], n[1], n[2], n[4], n[5], n[6], n[8], n[9], n[10];
        targets.push_back(root_from_base * pin::SE3(rotation, Eigen::Vector3d(n[3], n[7], n[11])));
    }
    std::vector<double> best_us(targets.size(), INFINITY);
    std::size_t solved = 0;
    for (int round = 0; round < std::stoi(arguments[5]); ++round) {
        std::srand(1);
        solved = 0;
        for (std::size_t index = 0; index < targets.size(); ++index) {
            const auto begin = std::chrono::steady_clock::now();
            solved += solver.solve(targets[index], seed);
            const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - begin;
            best_us[index] = std::min(best_us[index], spent.count());
        }
    }
    std::sort(best_us.begin(), best_us.end());
    const std::size_t count = targets.size();
    std::cout << solved << " " << best_us[count / 2] << " " << best_us[count * 99 / 100] << "\n";
}
